import type { FailureWords, WayOut } from '../answers.ts';
import { createReadRoute, type ApiRoute } from '../api-route.ts';

/**
 * Texts of the page for failed actions, by the client's error code. For other codes it shows the message. The
 * page loads them at the start, so it also has a text if the service does not respond.
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
    text: 'It cannot be fixed here: only the holder of that validator’s key can undelegate it.',
    wayOut: 'none',
  },
  EATA_BALANCE_TOO_LOW: {
    title: 'The balance is too low.',
    text: 'Withdraw less.',
    wayOut: 'none',
  },
  MISSING_AUTH_TOKEN: {
    title: 'The wallet has to log in.',
    text: 'The rollup shows this only to its owner.',
    wayOut: 'log-in',
  },
  AUTH_REFUSED: {
    title: 'The login is no longer valid.',
    text: 'Log in again.',
    wayOut: 'log-in',
  },
  AUTH_UNAVAILABLE: {
    title: 'This rollup has no login.',
    text: 'Everyone can read it: a payment on it is not private, and the tour ends here.',
    wayOut: 'none',
  },
  NETWORK: {
    title: 'The service does not respond.',
    text: 'It cannot be reached, or the connection was lost.',
    wayOut: 'again',
  },
  TIMEOUT: {
    title: 'The service did not respond in time.',
    text: 'It may be busy.',
    wayOut: 'again',
  },
};

/**
 * Explanations of the refusals that callers see during a payment, by code. For others the response says what
 * to do.
 */
export const WAYS_OUT: Readonly<Record<string, WayOut>> = {
  MISSING_AUTH_TOKEN: {
    way: 'Log in, then send the token.',
    title: 'No token was sent.',
    meaning: 'Only some wallets may read this. Log in, then send the token as Authorization: Bearer.',
  },
  READER_NOT_ALLOWED: {
    way: 'Log in as one of its readers.',
    title: 'This token is not allowed to read it.',
    meaning: 'The wallet of the token is not a reader of the account.',
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
    way: 'It cannot be fixed here.',
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
    title: 'The service is busy.',
    meaning: 'Nothing was done. The response says when to try again.',
  },
};

/** `GET /console/api/ways-out`. */
export const WAYS_OUT_ROUTE: ApiRoute = createReadRoute('/console/api/ways-out', () => WAYS_OUT);
