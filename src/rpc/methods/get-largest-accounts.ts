import { largestAccounts } from '../accounts/largest-accounts.ts';
import { nonCirculatingTest } from '../accounts/non-circulating.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { bool } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { variant } from '../params/variant.ts';
import { defineScan } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';
import { takeSnapshot } from '../scan/snapshot.ts';

/** Most accounts returned (Agave `NUM_LARGEST_ACCOUNTS`). */
const LARGEST_ACCOUNTS = 20;

/** Agave `RpcLargestAccountsConfig`. The accounts are sorted whatever `sortResults` says. */
const largestAccountsConfig = struct(
  'RpcLargestAccountsConfig',
  {
    commitment: flattenedCommitment,
    filter: optional(variant(['circulating', 'nonCirculating'])),
    sortResults: optional(bool),
  },
  { hasFlattened: true },
);

/**
 * `getLargestAccounts([config?])`: the 20 accounts with the most lamports: of all, of the circulating or of
 * the non-circulating ones.
 */
export const getLargestAccounts = defineScan(
  'getLargestAccounts',
  { required: [], optional: [largestAccountsConfig] },
  function* (node, config) {
    const { slot } = readHead(node, undefined);
    const filter = config?.filter ?? null;
    const isNonCirculating = nonCirculatingTest(node.ledger);
    const accounts = yield* takeSnapshot(node.ledger.accounts());
    const largest = yield* largestAccounts(
      accounts,
      LARGEST_ACCOUNTS,
      filter === null ? undefined : (entry) => isNonCirculating(entry) === (filter === 'nonCirculating'),
    );
    return inContext(
      node,
      slot,
      largest.map(([address, { lamports }]) => ({ address, lamports })),
    );
  },
);
