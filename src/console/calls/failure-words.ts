import { ERROR_CODES } from '../../errors/codes.ts';
import type { FailureWords } from '../answers.ts';
import { createReadRoute, type ApiRoute } from '../api-route.ts';

/**
 * Page texts for failed actions, by the client's error code. For other codes the page shows the error
 * message. The page loads the texts when it opens, because the service may stop responding later.
 */
export const FAILURE_WORDS: Readonly<Record<string, FailureWords>> = {
  EATA_ALREADY_DELEGATED: {
    title: 'Undelegate it first.',
    text: 'The account is delegated to the rollup, where these programs cannot deposit into it.',
    wayOut: 'undelegate',
  },
  EATA_SETTLING: {
    title: 'The undelegation is in progress.',
    text: 'The base ledger does not show it yet.',
    wayOut: 'again',
  },
  EATA_DELEGATED_ELSEWHERE: {
    title: 'Another validator has this account.',
    text: 'Only the holder of that validator’s key can undelegate it.',
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
    title: 'This rollup does not support logins.',
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

/** `GET /console/api/error-titles`: the title of each error, by code. */
export const ERROR_TITLES_ROUTE: ApiRoute = createReadRoute('/console/api/error-titles', () =>
  Object.fromEntries(Object.entries(ERROR_CODES).map(([code, { title }]) => [code, title])),
);
