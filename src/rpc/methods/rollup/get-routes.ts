import { defineMethod } from '../../rpc-method.ts';

/**
 * `getRoutes()`: the rollups there are (MagicBlock's router), which is this one alone: `identity`, `fqdn`,
 * its URL, `baseFee` in lamports, and `blockTimeMs`. A node that does not know its own URL knows of none,
 * like the ephemeral validator.
 */
export const getRoutes = defineMethod(
  'getRoutes',
  { required: [], optional: [] },
  ({ publicUrl, ledger: { identity, slotMs } }) =>
    publicUrl === undefined ? [] : [{ baseFee: 0, blockTimeMs: slotMs, fqdn: publicUrl, identity }],
);
