import type { Layout } from '../../src/chain/chain.ts';

/** Base units that the sender can spend where the route begins. */
export const HELD = 5_000_000;

/** The ledger that tokens are on, as the service calls it. */
type Side = 'base' | 'ephemeral';

/** An operation with its source and destination. */
export interface Route {
  readonly name: string;
  readonly operation: 'deposit' | 'withdraw' | 'undelegate' | 'transfer';
  readonly layouts: readonly Layout[];
  /** Location of the sender's tokens. `returned` is an eATA that was undelegated to base. */
  readonly from: Side | 'returned';
  readonly to: Side;
  readonly isPublic?: true;
  /** Fee that the sender pays in addition to the amount, in base units. */
  readonly fee?: number;
  /** Whether the request can never be fully verified, because a part is sealed or paid out later. */
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
 * States of a request: the whole balance, one base unit more, an empty balance, a frozen token account on
 * base, or a missing account. The last two affect the recipient if there is one, else the sender.
 */
export const CONDITIONS = ['enough', 'one too much', 'zero left', 'frozen', 'no account'] as const;

export type Condition = (typeof CONDITIONS)[number];
