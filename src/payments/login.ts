import { z } from 'zod';
import type { RollupAuth } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { isSignature, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX } from '../solana/signature.ts';
import { requireRollup } from './cluster-support.ts';
import { address, cluster, flag } from './fields/fields.ts';
import { defineOperation } from './operation.ts';

/**
 * Returns the login service of a cluster's rollup.
 *
 * @param what the operation that needs it, as the subject of a sentence.
 * @throws {ServiceError} CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER without a rollup, AUTH_UNAVAILABLE
 *   without a login.
 */
function requireAuth(what: string, name: string | undefined, clusters: Clusters): RollupAuth {
  const chain = clusters.resolve(name);
  const { auth } = requireRollup(what, chain, clusters);
  if (auth !== null) return auth;
  const able = clusters.names.filter((other) => (clusters.resolve(other).rollup?.auth ?? null) !== null);
  const advice =
    able.length === 0 ? 'no configured cluster supports them' : `pass cluster ${able.join(' or ')}`;
  throw new ServiceError(
    'AUTH_UNAVAILABLE',
    `The rollup of cluster ${chain.cluster} does not support logins, because everyone can read it; ${advice}`,
    { field: 'cluster', cluster: chain.cluster, supported: able },
  );
}

/** Flag that clients of the hosted API set to log in on test networks. */
const mock = flag(
  'Accepted on localnet only, where it has no effect, because the login there is real. Default: false.',
).optional();

/** @throws {ServiceError} INVALID_ARGUMENTS on networks whose tokens have value; CLUSTER_NOT_ALLOWED. */
function rejectMock(
  input: { readonly mock?: boolean | undefined; readonly cluster?: string | undefined },
  clusters: Clusters,
): void {
  if (input.mock !== true) return;
  const { network, cluster: name } = clusters.resolve(input.cluster);
  if (network === 'localnet') return;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    `mock is accepted on localnet only, but the cluster is ${name}: leave it out, and sign the challenge with the wallet`,
    { field: 'mock', cluster: name },
  );
}

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
      "Fetches the text that a wallet signs to log in to the cluster's private rollup. Pass it to login with the signature.",
    effect: 'read',
    input: z.strictObject({
      pubkey: address('The wallet that logs in.'),
      cluster: cluster(clusters.names).optional(),
      mock,
    }),
    output: z.object({
      challenge: z.string().meta({ description: 'The text to sign, byte for byte as UTF-8.' }),
    }),
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

/** Maximum length of a challenge, in characters. Real challenges are three short lines. */
const CHALLENGE_CHARACTERS_MAX = 1_024;

/**
 * Exchanges a signed challenge for a bearer token at the login service of the cluster's rollup. The token is
 * neither stored nor logged.
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
    output: z.object({
      token: z.string().meta({
        description: 'The bearer token for private reads: send it as "Rollup-Authorization: Bearer <token>".',
      }),
      expiresAt: z.union([z.number(), z.string()]).optional().meta({
        description: 'When the token expires, in the form the rollup returns; absent if it does not expire.',
      }),
    }),
    run: async ({ pubkey, challenge, signature, ...input }) => {
      rejectMock(input, clusters);
      const auth = requireAuth('login', input.cluster, clusters);
      const { token, expiresAt } = await auth.login({ owner: pubkey, challenge, signature });
      return {
        output: { token, ...(expiresAt === null ? {} : { expiresAt }) },
        // Only the structured result contains the token, because transcripts must not repeat it.
        sentences: ['Logged in.', `With the token, ${pubkey} can read its own accounts on the rollup.`],
      };
    },
  });
}
