import type { LedgerReader } from '../readers/reader.ts';
import type { Answer } from '../readers/wire.ts';
import type { Step, StepState } from './steps.ts';

/** Label and icon of each state. */
export const STATE_WORDS: Readonly<
  Record<
    StepState,
    { readonly kind: 'ok' | 'warn' | 'bad' | 'wait' | 'own' | 'hidden' | null; readonly word: string }
  >
> = {
  waiting: { kind: 'wait', word: 'waiting' },
  sent: { kind: 'wait', word: 'in progress' },
  landed: { kind: 'ok', word: 'landed' },
  private: { kind: 'own', word: 'landed' },
  'not-shown': { kind: 'hidden', word: 'hidden' },
  'not-on-base': { kind: null, word: 'not on base' },
  failed: { kind: 'bad', word: 'failed' },
  stalled: { kind: 'warn', word: 'delayed' },
};

const LANES = { w: '', b: 'Base', d: 'Delegation', r: 'Rollup', s: 'Settlement' } as const;

/** Describes a step for screen readers. */
export function stepSentence(
  { number, title, route, arrow, state, readers }: Step,
  payer: string,
  amount: string,
): string {
  const lane = (letter: string | undefined): string => LANES[letter as keyof typeof LANES] || payer;
  const way = arrow === 'whole' ? `, ${lane(route[0])} to ${lane(route[1])}` : '';
  const isSaid = STATE_WORDS[state].word === readers;
  return `${number}. ${title}${amount === '' ? '' : ` ${amount}`}${way}, ${STATE_WORDS[state].word}${isSaid ? '' : `, ${readers}`}`;
}

/** The status that anyone who knows the signature can see. */
export interface LandedStatus {
  readonly slot: number;
  readonly hasFailed: boolean;
}

interface StatusList {
  readonly value: readonly ({ readonly slot: number; readonly err: unknown } | null)[];
}

/** Asks whether a signature has landed. */
export const askStatus = (reader: LedgerReader, signature: string): Promise<Answer<StatusList>> =>
  reader.call<StatusList>('getSignatureStatuses', [[signature], { searchTransactionHistory: true }]);

/** Reads the status from the answer; null if there is none. */
export function statusIn(answer: Answer<StatusList>): LandedStatus | null {
  const status = answer.kind === 'value' ? (answer.value.value[0] ?? null) : null;
  return status === null ? null : { slot: status.slot, hasFailed: status.err !== null };
}
