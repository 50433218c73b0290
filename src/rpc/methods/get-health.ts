import { nodeUnhealthy } from '../errors.ts';
import { defineMethod } from '../rpc-method.ts';

/**
 * `getHealth()`: a ledger of one node cannot be behind, so the answer is `ok` unless the ledger has stopped:
 * then it is what Agave answers when it cannot tell (`RpcHealthStatus::Unknown`).
 */
export const getHealth = defineMethod('getHealth', { required: [], optional: [] }, ({ ledger }) => {
  if (!ledger.isRunning) throw nodeUnhealthy();
  return 'ok';
});
