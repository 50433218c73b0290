import type { Layout } from '../../chain/chain.ts';
import type { DepositLayout } from './deposit-layout.ts';
import { DEPOSIT_A } from './layout-a.ts';
import { DEPOSIT_B } from './layout-b.ts';

/** Deposits by layout. */
export const DEPOSIT_LAYOUTS: Readonly<Record<Layout, DepositLayout>> = { a: DEPOSIT_A, b: DEPOSIT_B };
