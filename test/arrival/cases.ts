import type { Layout } from '../../src/chain/chain.ts';

/** Base units that the sender can spend where the route begins. */
export const HELD = 5_000_000;

/** The ledger that tokens are on, as the service calls it. */
type Side = 'base' | 'ephemeral';

/** What is done, and from where to where. */
export interface Route {
  readonly name: string;
  readonly operation: 'deposit' | 'withdraw' | 'undelegate' | 'transfer';
  readonly layouts: readonly Layout[];
  /** Where the sender's tokens are; `returned` for an eATA that was given back to base. */
  readonly from: Side | 'returned';
  readonly to: Side;
  readonly isPublic?: true;
  /** Base units that the route takes from the sender besides the amount. */
  readonly fee?: number;
  /** Whether the bytes or the ledgers can never prove the whole request: a sealed part, or a later payout. */
  readonly isUnprovable?: true;
}

export const ROUTES: readonly Route[] = [
  { name: 'deposit', operation: 'deposit', layouts: ['a', 'b'], from: 'base', to: 'ephemeral' },
  { name: 'withdraw by shuttle', operation: 'withdraw', layouts: ['b'], from: 'ephemeral', to: 'base' },
  {
    name: 'withdraw what was given back',
    operation: 'withdraw',
    layouts: ['a', 'b'],
    from: 'returned',
    to: 'base',
  },
  { name: 'undelegate', operation: 'undelegate', layouts: ['a', 'b'], from: 'ephemeral', to: 'base' },
  {
    name: 'pay in public',
    operation: 'transfer',
    layouts: ['a', 'b'],
    from: 'base',
    to: 'base',
    isPublic: true,
  },
  {
    name: 'pay on the rollup',
    operation: 'transfer',
    layouts: ['a', 'b'],
    from: 'ephemeral',
    to: 'ephemeral',
  },
  {
    name: 'pay sealed',
    operation: 'transfer',
    layouts: ['b'],
    from: 'base',
    to: 'base',
    // 10 basis points of the amount.
    fee: HELD / 1_000,
    isUnprovable: true,
  },
  { name: 'pay into the rollup', operation: 'transfer', layouts: ['b'], from: 'base', to: 'ephemeral' },
  {
    name: 'pay out of the rollup',
    operation: 'transfer',
    layouts: ['b'],
    from: 'ephemeral',
    to: 'base',
    isUnprovable: true,
  },
];

/**
 * The state that it is asked for in: all that is there, one base unit more, nothing there, a frozen token account
 * on base (of the recipient, else of the sender), and no account of the recipient, else of the sender.
 */
export const CONDITIONS = ['enough', 'one too much', 'zero left', 'frozen', 'no account'] as const;

export type Condition = (typeof CONDITIONS)[number];
