import { defineMethod } from '../../rpc-method.ts';

/**
 * `getRoutes()`: the list of rollups (MagicBlock's router), here only this one: `identity`, `fqdn` (its URL),
 * `baseFee` in lamports, and `blockTimeMs`. Empty if the node does not know its own URL, as on the ephemeral
 * validator.
 */
export const getRoutes = defineMethod(
  'getRoutes',
  { required: [], optional: [] },
  ({ publicUrl, ledger: { identity, slotMs } }) =>
    publicUrl === undefined ? [] : [{ baseFee: 0, blockTimeMs: slotMs, fqdn: publicUrl, identity }],
);
