import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import { quoted } from '../errors/quoted-text.ts';
import { ServiceError } from '../errors/service-error.ts';
import { POOL_DESTINATIONS_MAX } from '../programs/ephemeral-token/layout-b/stealth-pool.ts';
import {
  buildTransaction,
  builtTransactionMembers,
  endpointWarnings,
  sendRpcEndpointMember,
} from './building/built-transaction.ts';
import { notesMember, notesOf, warningSentences, warningsMember, warningsOf } from './building/draft.ts';
import { requireRollup, resolveLayoutB } from './cluster-support.ts';
import { address, cluster, flag } from './fields/fields.ts';
import type { Operation, OperationCaller } from './operation.ts';
import { handleField, stealthPoolOf, warnOfHandle } from './stealth/handle.ts';
import { checkPool, planPoolSetup, planPoolUpdate } from './stealth/pool.ts';

const transactionMembers = {
  kind: z.literal('stealthPool').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  validator: z.string().meta({ description: 'The validator the pool is delegated to.' }),
};

const output = z.object({
  ...transactionMembers,
  ...sendRpcEndpointMember,
  stealthPool: z.string().meta({ description: 'The address of the pool.' }),
  setupTransaction: z.object(transactionMembers).meta({
    description:
      'The transaction that creates and delegates the pool on the base ledger. Send it first, and the other one when it is confirmed.',
  }),
  ...notesMember,
  ...warningsMember,
});

const inputOf = (clusterNames: readonly string[]) =>
  z.strictObject({
    payer: address('The wallet that pays for the pool. It signs.'),
    authority: address('The wallet that may change the destinations of the pool. It signs.'),
    handle: handleField('The handle that is paid'),
    destinations: z
      .array(address('A wallet that is paid.'), { error: 'must be a list of base58 Solana addresses' })
      .min(1, { error: 'must name 1 to 10 wallets' })
      .max(POOL_DESTINATIONS_MAX, { error: 'must name 1 to 10 wallets' })
      .meta({ description: 'The wallets that receive payments to the handle, 1 to 10.' }),
    splitAcrossKeys: flag(
      'Whether the parts of one payment may go to different wallets. Default: false.',
    ).optional(),
    validator: address("The validator to delegate the pool to. Default: the cluster's own.").optional(),
    cluster: cluster(clusterNames).optional(),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;
type Output = z.infer<typeof output>;

/**
 * Builds the two unsigned transactions that make a handle payable: the setup for base, and the update with
 * the destinations for the rollup, the only place that stores them.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_STEALTH_HANDLE, MISSING_AUTH_TOKEN,
 * VALIDATOR_UNRESOLVED, VALIDATOR_MISMATCH, STEALTH_HANDLE_TAKEN.
 */
export function createStealthPool({ clusters }: { readonly clusters: Clusters }): Operation<Input, Output> {
  return {
    name: 'createStealthPool',
    title: 'Build a stealth pool',
    description:
      "Builds two unsigned transactions for a stealth handle, a name that can be paid privately without revealing its owner. Send setupTransaction first: it creates the handle's pool on the base ledger. The other members are the transaction that sets the destination wallets on the rollup. Also changes the wallets of an existing pool. Needs the rollup's bearer token in the Authorization header.",
    effect: 'build',
    input: inputOf(clusters.names) as z.ZodType<Input>,
    output,
    worksOn: ({ layout, rollup }) => layout === 'b' && rollup !== null,
    run: async (input, caller) => {
      const pool = stealthPoolOf(input.handle, 'handle').address;
      const chain = resolveLayoutB('A stealth pool', input.cluster, clusters);
      requireRollup('A stealth pool', chain, clusters);
      const token = requireToken(caller);
      const validator = input.validator ?? (await chain.validatorIdentity());
      const { payer, authority, handle, destinations, splitAcrossKeys = false } = input;
      const parties = { payer, authority, pool, handle };
      const found = await checkPool(chain, parties, validator);
      const [setup, update] = await Promise.all([
        buildTransaction(chain, payer, planPoolSetup(parties, validator)),
        buildTransaction(chain, payer, planPoolUpdate(parties, { destinations, splitAcrossKeys }), {
          sendTo: 'ephemeral',
          token,
        }),
      ]);
      const warnings = [...found, ...warnOfHandle(handle), ...endpointWarnings(update)];
      const does = `It lets the stealth handle ${quoted(handle)} (pool ${pool}) be paid to ${destinations.length === 1 ? 'one wallet' : `${destinations.length} wallets`}.`;
      return {
        output: {
          kind: 'stealthPool',
          ...update,
          validator,
          stealthPool: pool,
          setupTransaction: { kind: 'stealthPool', ...setup, validator },
          ...notesOf([does]),
          ...warningsOf(warnings),
        },
        sentences: [
          'Built an unsigned SPL stealth pool transaction.',
          `${does} Sign setupTransaction as ${setup.requiredSigners.join(' and ')} and send it to the base ledger before block height ${setup.lastValidBlockHeight} has passed; then do the same with transactionBase64 on the rollup.`,
          ...warningSentences(warnings),
        ],
      };
    },
  };
}

/** A rollup hides the pool from anyone else, so without a token the update could not be built. */
function requireToken({ token }: OperationCaller): string {
  if (token !== undefined) return token;
  throw new ServiceError(
    'MISSING_AUTH_TOKEN',
    'authToken is required to initialize stealth pool destinations inside the ER: log in at the rollup and send its token as Authorization: Bearer <token>',
    {},
  );
}
