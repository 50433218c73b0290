import type { NodePrefix } from '../metrics/registry.ts';
import { LEDGER_METHODS } from '../rpc/methods/method-table.ts';
import { ROLLUP_METHODS } from '../rpc/methods/rollup/rollup-methods.ts';
import { SURFNET_METHODS } from '../rpc/methods/surfnet/surfnet-methods.ts';
import { PUBSUB_METHODS, VOTE_METHODS } from '../rpc/pubsub/methods/method-table.ts';

/** Methods counted by name; any other counts as unknown. */
export const CALL_NAMES: Readonly<Record<NodePrefix, readonly string[]>> = {
  ledger: namesOf(LEDGER_METHODS, SURFNET_METHODS, PUBSUB_METHODS, VOTE_METHODS),
  rollup: namesOf(ROLLUP_METHODS, PUBSUB_METHODS),
};

function namesOf(...tables: readonly (readonly { readonly name: string }[])[]): readonly string[] {
  return tables.flat().map(({ name }) => name);
}
