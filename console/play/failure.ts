import { PaymentsError } from '../../src/client/index.ts';
import type { FailureWords } from '../../src/console/answers.ts';

/** A failure in words: what happened, whether money moved, what to do, then the code. */
export interface Failure extends FailureWords {
  readonly code: string | null;
}

/** The words of failures by code. */
type Words = Readonly<Record<string, FailureWords>>;

/**
 * How far an action had come: before anything was signed for it, so that nothing can have moved; or beyond,
 * where no failure says what moved.
 */
export type Phase = 'before-signing' | 'beyond';

/**
 * Describes the failure of an action. Codes without a text show the message of the error.
 *
 * That nothing moved is said only of what failed before anything was signed; and only there can it be built
 * again.
 *
 * @param words by code, as the service's state has them.
 */
export function failureOf(error: unknown, phase: Phase, words: Words = {}): Failure {
  const failure = wordsFor(error, words);
  if (phase === 'before-signing') return { ...failure, text: `${failure.text} Nothing moved.` };
  return failure.wayOut === 'again' ? { ...failure, wayOut: 'none' } : failure;
}

function wordsFor(error: unknown, words: Words): Failure {
  if (error instanceof PaymentsError) {
    const code = error.serviceCode ?? error.code;
    const known = words[error.code];
    if (known !== undefined) return { ...known, code };
    return { title: 'The service rejected the request.', text: error.message, code, wayOut: 'again' };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { title: 'Something went wrong.', text: message, code: null, wayOut: 'again' };
}

/** It landed and failed. */
export const landedAndFailed = (message: string | null): Failure => ({
  title: 'The transaction failed.',
  text: [message, 'It was executed and had no effect, except for the fee.']
    .filter((text) => text !== null)
    .join(' '),
  code: 'TRANSACTION_FAILED',
  wayOut: 'none',
});

/** It landed, and what was to follow it did not. */
export const movedNothing = (text: string): Failure => ({
  title: 'The transaction moved no tokens.',
  text,
  code: null,
  wayOut: 'again',
});

/** It can no longer land: what alone allows to build the same again after it was signed. */
export const expired = (lastValidBlockHeight: number): Failure => ({
  title: 'The transaction expired.',
  text: `It did not land before block height ${lastValidBlockHeight}, so nothing moved.`,
  code: 'TRANSACTION_EXPIRED',
  wayOut: 'again',
});
