import type { RpcMethod } from '../../rpc-method.ts';
import { LEDGER_METHODS } from '../method-table.ts';
import { getBlockhashForAccounts } from './get-blockhash-for-accounts.ts';
import { getDelegationStatus } from './get-delegation-status.ts';
import { getRoutes } from './get-routes.ts';
import { NO_FAUCET } from './no-faucet.ts';

const OWN: readonly RpcMethod[] = [getBlockhashForAccounts, getDelegationStatus, getRoutes, ...NO_FAUCET];
const OWN_NAMES: ReadonlySet<string> = new Set(OWN.map(({ name }) => name));

/**
 * Every method a rollup's node serves: those of a ledger node, its own, and none that give anything away.
 *
 * Where the two differ, the answers are Agave's and not the ephemeral validator's. That one refuses a transaction with
 * -32003 and a text; here a failed preflight is -32002 with the simulation in `data`, without which kit breaks.
 */
export const ROLLUP_METHODS: readonly RpcMethod[] = [
  ...LEDGER_METHODS.filter(({ name }) => !OWN_NAMES.has(name)),
  ...OWN,
];
