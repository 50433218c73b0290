import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import { isSignature, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX } from '../solana/signature.ts';
import { mock, rejectMock, requireAuth } from './cluster-support.ts';
import { address, cluster } from './fields/fields.ts';
import { defineOperation } from './operation.ts';

/** Longest challenge accepted, characters. Real ones are three short lines. */
const CHALLENGE_CHARACTERS_MAX = 1_024;

const output = z.object({
  token: z
    .string()
    .meta({ description: 'The bearer token for private reads: send it as "Authorization: Bearer <token>".' }),
  expiresAt: z.union([z.number(), z.string()]).optional().meta({
    description: 'When the token expires, in the form the rollup returns; absent if it does not expire.',
  }),
});

/**
 * Exchanges a signed challenge for a bearer token at the login service of the cluster's rollup. The token is
 * passed through, and neither stored nor logged.
 *
 * Errors: INVALID_ARGUMENTS, CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, AUTH_UNAVAILABLE, AUTH_REFUSED,
 * UPSTREAM_*.
 */
export function createLogin({ clusters }: { readonly clusters: Clusters }) {
  return defineOperation({
    name: 'login',
    title: 'Log in to a private rollup',
    description:
      "Exchanges a signed challenge for the bearer token with which the wallet can read its own accounts on the cluster's private rollup.",
    effect: 'read',
    input: z.strictObject({
      pubkey: address('The wallet that logs in.'),
      challenge: z
        .string({ error: 'must be the text of the challenge' })
        .min(1, { error: 'must be the text of the challenge' })
        .max(CHALLENGE_CHARACTERS_MAX, { error: 'must be the text of the challenge' })
        .meta({ description: 'The challenge that was signed, unchanged.' }),
      signature: z
        .string({ error: 'must be a base58 signature of 64 bytes' })
        .refine(isSignature, { error: 'must be a base58 signature of 64 bytes' })
        .meta({
          description: "The wallet's ed25519 signature over the challenge's UTF-8 bytes, base58.",
          minLength: SIGNATURE_BYTES,
          maxLength: SIGNATURE_TEXT_MAX,
        }),
      cluster: cluster(clusters.names).optional(),
      mock,
    }),
    output,
    run: async ({ pubkey, challenge, signature, ...input }) => {
      rejectMock(input, clusters);
      const auth = requireAuth('login', input.cluster, clusters);
      const { token, expiresAt } = await auth.login({ owner: pubkey, challenge, signature });
      return {
        output: { token, ...(expiresAt === null ? {} : { expiresAt }) },
        // The token is only in the structured result, so that transcripts do not repeat it.
        sentences: ['Logged in.', `With the token ${pubkey} can read its own accounts on the rollup.`],
      };
    },
  });
}
