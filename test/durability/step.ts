import type { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';

/** Base units by the number of the wallet that has so many more. */
type Moves = readonly (readonly [wallet: number, units: number])[];

/** What an operation moves if it lands and nothing of it is given back. */
export interface Effect {
  /** In the wallets' token accounts on base. */
  readonly base: Moves;
  /** In their ephemeral token accounts. */
  readonly inside: Moves;
  /** Base units that stay in the vault as the queue's: the fee of a private payment. */
  readonly fee: number;
}

/** What a wallet asks the service for. */
export interface Step {
  /** What it is counted as. */
  readonly kind: string;
  readonly operation: string;
  readonly args: object;
  readonly effect: Effect;
}

/** Who takes steps, by their addresses. */
export interface Party {
  readonly wallets: readonly string[];
  /** Somebody whom base pays nothing, as his token account is frozen. */
  readonly frozen: string;
}

/** Draws what the wallet of a number tries next. */
export type DrawStep = (party: Party, own: number, random: SeededRandom) => Step;

export const NO_EFFECT: Effect = { base: [], inside: [], fee: 0 };
