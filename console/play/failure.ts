import { PaymentsError } from '../../src/client/index.ts';
import type { FailureWords } from '../../src/console/answers.ts';

/** A failure as the page shows it: what happened, whether money moved, what to do, and the code. */
export interface Failure extends FailureWords {
  readonly code: string | null;
}

/** Texts of failures by code. */
type Words = Readonly<Record<string, FailureWords>>;

/** The progress of an action when it failed. Only before signing is it certain that nothing moved. */
export type Phase = 'before-signing' | 'beyond';

/**
 * Describes the failure of an action. Codes without a text show the message of the error.
 *
 * Only failures before signing say that nothing moved and offer to try again.
 *
 * @param words texts by code, from the service's state.
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

/** The failure of a transaction that landed and failed. */
export const landedAndFailed = (message: string | null): Failure => ({
  title: 'The transaction failed.',
  text: [message, 'It was executed and had no effect, except for the fee.']
    .filter((text) => text !== null)
    .join(' '),
  code: 'TRANSACTION_FAILED',
  wayOut: 'none',
});

/** The failure of a transaction that landed without moving tokens. */
export const movedNothing = (text: string): Failure => ({
  title: 'The transaction moved no tokens.',
  text,
  code: null,
  wayOut: 'again',
});

/** The failure of an expired transaction. It is the only failure after signing that can be tried again. */
export const expired = (lastValidBlockHeight: number): Failure => ({
  title: 'The transaction expired.',
  text: `It did not land before block height ${lastValidBlockHeight}, so nothing moved.`,
  code: 'TRANSACTION_EXPIRED',
  wayOut: 'again',
});
