import type { FailureWords, WayOut } from '../answers.ts';
import { createReadRoute, type ApiRoute } from '../api-route.ts';

/**
 * What the page says of an action that failed, by the code of the client; of other codes it says the message.
 * The page has them before anything can fail, so that it can also say that the service does not answer.
 */
export const FAILURE_WORDS: Readonly<Record<string, FailureWords>> = {
  EATA_ALREADY_DELEGATED: {
    title: 'Ask for it back first.',
    text: 'The account is on the rollup, and these programs cannot add to it there.',
    wayOut: 'ask-back',
  },
  EATA_SETTLING: {
    title: 'It is on its way back.',
    text: 'Base does not show it yet.',
    wayOut: 'again',
  },
  EATA_DELEGATED_ELSEWHERE: {
    title: 'Another validator has this account.',
    text: 'It cannot be mended here: whoever holds that validator’s key can give it back.',
    wayOut: 'none',
  },
  EATA_BALANCE_TOO_LOW: {
    title: 'There is less than that.',
    text: 'Take out less.',
    wayOut: 'none',
  },
  MISSING_AUTH_TOKEN: {
    title: 'The wallet has to log in.',
    text: 'The rollup shows this to its owner alone.',
    wayOut: 'log-in',
  },
  AUTH_REFUSED: {
    title: 'The login is not valid any more.',
    text: 'Log in again.',
    wayOut: 'log-in',
  },
  AUTH_UNAVAILABLE: {
    title: 'This rollup has no login.',
    text: 'Everybody may read what is on it: a payment on it is not private, and the tour ends here.',
    wayOut: 'none',
  },
  NETWORK: {
    title: 'The service does not answer.',
    text: 'It cannot be reached, or the connection was lost.',
    wayOut: 'again',
  },
  TIMEOUT: {
    title: 'The service did not answer in time.',
    text: 'It may be busy.',
    wayOut: 'again',
  },
};

/** The refusals that callers meet in the life of a payment, by code; of others the answer says what to do. */
export const WAYS_OUT: Readonly<Record<string, WayOut>> = {
  MISSING_AUTH_TOKEN: {
    way: 'Log in, then send the token.',
    title: 'No token was sent.',
    meaning: 'It reads what only some may read. Log in, then send the token as Authorization: Bearer.',
  },
  READER_NOT_ALLOWED: {
    way: 'Log in as one of its readers.',
    title: 'This token may not read it.',
    meaning: 'The token is of a wallet that is not among the readers of the account.',
  },
  AUTH_REFUSED: {
    way: 'Sign a new challenge.',
    title: 'The login was not accepted.',
    meaning:
      'The signature is not of this wallet, or the challenge is too old. Ask for a new one and sign it.',
  },
  EATA_SETTLING: {
    way: 'Ask again in a moment.',
    title: 'On its way back to base.',
    meaning:
      'The undelegation was accepted and base does not show it yet, so the vault cannot pay out. It is a matter of moments: then take it out.',
  },
  EATA_ALREADY_DELEGATED: {
    way: 'Ask for it back first, then take it out.',
    title: 'It is on the rollup.',
    meaning: 'What is on the rollup cannot be taken out of the vault. Ask for it back first.',
  },
  EATA_NOT_DELEGATED: {
    way: 'Deposit, then pay.',
    title: 'It is not on the rollup.',
    meaning: 'Only what is delegated to the rollup can be paid there. Deposit first.',
  },
  EATA_DELEGATED_ELSEWHERE: {
    way: 'It cannot be mended here.',
    title: 'Another rollup has it.',
    meaning: 'The account is delegated to a validator of another rollup. Ask for it back there.',
  },
  EATA_BALANCE_TOO_LOW: {
    way: 'Pay less, or deposit more.',
    title: 'It holds less than the amount.',
    meaning: 'Nothing moved. Pay less, or deposit more first.',
  },
  EATA_NOT_INITIALIZED: {
    way: 'Deposit first.',
    title: 'There is no such account yet.',
    meaning: 'The wallet has deposited nothing of this mint. A deposit makes the account.',
  },
  UNSUPPORTED_ON_CLUSTER: {
    way: 'Deposit, pay on the rollup, take out.',
    title: 'The programs of this cluster do not have it.',
    meaning: 'Deposit, pay on the rollup and take out do the same with the programs that are here.',
  },
  TRANSACTION_EXPIRED: {
    way: 'Build it again.',
    title: 'It can no longer land.',
    meaning: 'Its blockhash is too old. Nothing moved. Build it again and sign that.',
  },
  SERVICE_BUSY: {
    way: 'Ask again in a moment.',
    title: 'The service works on as much as it can.',
    meaning: 'Nothing was done. The answer says after how long to ask again.',
  },
};

/** `GET /console/api/ways-out`: the same for everybody. */
export const WAYS_OUT_ROUTE: ApiRoute = createReadRoute('/console/api/ways-out', () => WAYS_OUT);
