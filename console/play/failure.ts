import { PaymentsError } from '../../src/client/index.ts';

/** A failure in the words of the page: what happened, whether money moved, what to do, then the code. */
export interface Failure {
  readonly title: string;
  readonly text: string;
  readonly code: string | null;
  /** What can be done about it by pressing a button. */
  readonly wayOut: 'again' | 'ask-back' | 'log-in' | 'books' | 'none';
}

/**
 * How far an action had come: before anything was signed for it, so that nothing can have moved; or beyond,
 * where no failure says what moved.
 */
export type Phase = 'before-signing' | 'beyond';

const WORDS: Readonly<Record<string, Omit<Failure, 'code'>>> = {
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

/**
 * Any failure of an action in words. The service's own words are kept where there are none for its code.
 *
 * That nothing moved is said only of what failed before anything was signed; and only there can it be built
 * again.
 */
export function failureOf(error: unknown, phase: Phase): Failure {
  const told = toldOf(error);
  if (phase === 'before-signing') return { ...told, text: `${told.text} Nothing moved.` };
  return told.wayOut === 'again' ? { ...told, wayOut: 'none' } : told;
}

function toldOf(error: unknown): Failure {
  if (error instanceof PaymentsError) {
    const code = error.serviceCode ?? error.code;
    const known = WORDS[error.code];
    if (known !== undefined) return { ...known, code };
    return { title: 'The service refused.', text: error.message, code, wayOut: 'again' };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { title: 'That did not work.', text: message, code: null, wayOut: 'again' };
}

/** It landed and failed. */
export const landedAndFailed = (message: string | null): Failure => ({
  title: 'Landed and failed.',
  text: [message, 'Nothing moved but the fee, where there is one.'].filter((text) => text !== null).join(' '),
  code: 'TRANSACTION_FAILED',
  wayOut: 'none',
});

/** It can no longer land: what alone allows to build the same again after it was signed. */
export const expired = (lastValidBlockHeight: number): Failure => ({
  title: 'It did not land in time.',
  text: `Not landed before block height ${lastValidBlockHeight}. Nothing moved.`,
  code: 'TRANSACTION_EXPIRED',
  wayOut: 'again',
});
