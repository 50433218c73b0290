import type { FailureWords } from '../answers.ts';

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
