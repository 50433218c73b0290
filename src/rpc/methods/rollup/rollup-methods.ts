import type { RpcMethod } from '../../rpc-method.ts';
import { LEDGER_METHODS } from '../method-table.ts';
import { getBlockhashForAccounts } from './get-blockhash-for-accounts.ts';
import { getDelegationStatus } from './get-delegation-status.ts';
import { getHighestSnapshotSlot } from './get-highest-snapshot-slot.ts';
import { getRoutes } from './get-routes.ts';
import { NO_FAUCET } from './no-faucet.ts';
import { sendTransaction } from './send-transaction.ts';

const OWN: readonly RpcMethod[] = [
  getBlockhashForAccounts,
  getDelegationStatus,
  getHighestSnapshotSlot,
  getRoutes,
  sendTransaction,
  ...NO_FAUCET,
];
const OWN_NAMES: ReadonlySet<string> = new Set(OWN.map(({ name }) => name));

/**
 * Every method of a rollup node: those of a ledger node and its own, with airdrops refused. Transactions are
 * refused with the ephemeral validator's messages; all other answers are Agave's.
 */
export const ROLLUP_METHODS: readonly RpcMethod[] = [
  ...LEDGER_METHODS.filter(({ name }) => !OWN_NAMES.has(name)),
  ...OWN,
];
