import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import { mock, rejectMock, requireAuth } from './cluster-support.ts';
import { address, cluster } from './fields/fields.ts';
import { defineOperation } from './operation.ts';

const output = z.object({
  challenge: z.string().meta({ description: 'The text to sign, byte for byte as UTF-8.' }),
});

/**
 * Fetches a challenge from the login service of the cluster's rollup, for the wallet to sign.
 *
 * Errors: INVALID_ARGUMENTS, CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, AUTH_UNAVAILABLE, AUTH_REFUSED,
 * UPSTREAM_*.
 */
export function createChallenge({ clusters }: { readonly clusters: Clusters }) {
  return defineOperation({
    name: 'challenge',
    title: 'Get a login challenge',
    description:
      "Fetches the text that a wallet signs to log in to the cluster's private rollup. Hand it to login together with the signature.",
    effect: 'read',
    input: z.strictObject({
      pubkey: address('The wallet that is to log in.'),
      cluster: cluster(clusters.names).optional(),
      mock,
    }),
    output,
    run: async ({ pubkey, ...input }) => {
      rejectMock(input, clusters);
      const challenge = await requireAuth('challenge', input.cluster, clusters).challenge(pubkey);
      return {
        output: { challenge },
        sentences: ['Fetched a login challenge.', `Sign the text as ${pubkey} and pass both to login.`],
      };
    },
  });
}
