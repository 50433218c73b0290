import type { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';

/** Balance changes by wallet number, in base units. */
type Moves = readonly (readonly [wallet: number, units: number])[];

/** The effect of an operation that lands and is not returned. */
export interface Effect {
  /** Changes of token accounts on base. */
  readonly base: Moves;
  /** Changes of ephemeral token accounts. */
  readonly inside: Moves;
  /** Fee of a private payment, which stays in the vault for the queue, in base units. */
  readonly fee: number;
}

/** A request of a wallet to the service. */
export interface Step {
  /** The kind under which it is counted. */
  readonly kind: string;
  readonly operation: string;
  readonly args: object;
  readonly effect: Effect;
}

/** The addresses of the wallets in a walk. */
export interface Party {
  readonly wallets: readonly string[];
  /** A wallet with a frozen token account on base. Payouts to it fail. */
  readonly frozen: string;
}

/** Draws the next step of the wallet with a number. */
export type DrawStep = (party: Party, own: number, random: SeededRandom) => Step;

export const NO_EFFECT: Effect = { base: [], inside: [], fee: 0 };
