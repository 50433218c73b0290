import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import { quoted } from '../errors/quoted-text.ts';
import { isProgramAccount } from './accounts/token-account.ts';
import { resolveLayoutB } from './cluster-support.ts';
import { cluster } from './fields/fields.ts';
import { defineOperation } from './operation.ts';
import { handleField, stealthPoolOf } from './stealth/handle.ts';

const output = z.object({
  stealthPool: z.string().meta({ description: 'The address of the pool of the handle.' }),
  exists: z.boolean().meta({ description: 'Whether the pool has been created on the base ledger.' }),
});

/**
 * Reads whether the pool of a stealth handle exists. Only its rollup knows the destinations.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_STEALTH_HANDLE.
 */
export function createGetStealthPool({ clusters }: { readonly clusters: Clusters }) {
  return defineOperation({
    name: 'getStealthPool',
    title: 'Look up a stealth pool',
    description:
      'Reads whether a stealth handle can be paid: whether its pool exists on the base ledger, and its address. Does not reveal the destination wallets.',
    effect: 'read',
    input: z.strictObject({
      handle: handleField('The handle to look up'),
      cluster: cluster(clusters.names).optional(),
    }),
    output,
    worksOn: ({ layout }) => layout === 'b',
    run: async (input) => {
      const stealthPool = stealthPoolOf(input.handle, 'handle').address;
      const chain = resolveLayoutB('A stealth pool', input.cluster, clusters);
      const [account] = await chain.getAccounts([stealthPool]);
      const exists = isProgramAccount(account ?? null);
      return {
        output: { stealthPool, exists },
        sentences: [
          'Fetched the stealth pool status.',
          exists
            ? `The handle ${quoted(input.handle)} has its pool at ${stealthPool}.`
            : `The handle ${quoted(input.handle)} has no pool yet. Its address would be ${stealthPool}.`,
        ],
      };
    },
  });
}
