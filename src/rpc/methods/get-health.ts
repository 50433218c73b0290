import { nodeUnhealthy } from '../errors.ts';
import { defineMethod } from '../rpc-method.ts';

/**
 * `getHealth()`: `ok`, as a single node cannot be behind. A stopped ledger answers like an Agave node that
 * does not know its state (`RpcHealthStatus::Unknown`).
 */
export const getHealth = defineMethod('getHealth', { required: [], optional: [] }, ({ ledger }) => {
  if (!ledger.isRunning) throw nodeUnhealthy();
  return 'ok';
});
