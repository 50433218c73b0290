import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import { requireWallet } from './accounts/wallet.ts';
import {
  buildTransaction,
  builtTransactionMembers,
  endpointWarnings,
  sendRpcEndpointMember,
} from './building/built-transaction.ts';
import { notesMember, notesOf, warningSentences, warningsMember, warningsOf } from './building/draft.ts';
import { requireRollup } from './cluster-support.ts';
import { address, cluster } from './fields/fields.ts';
import { readMint, requireHoldable } from './mints/mint-facts.ts';
import type { Operation } from './operation.ts';
import { planUndelegate, readUndelegateState } from './undelegate/plan.ts';

const output = z.object({
  kind: z.literal('undelegateEphemeralAta').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  ...sendRpcEndpointMember,
  ...notesMember,
  ...warningsMember,
});

const inputOf = (clusterNames: readonly string[]) =>
  z.strictObject({
    payer: address('The owner of the ephemeral token account. It signs.'),
    mint: address('The mint of the ephemeral token account.'),
    cluster: cluster(clusterNames).optional(),
  });

/** What to do after sending the transaction. */
const AFTERWARDS =
  'Then watch the base ledger, not the rollup, until the account is there again; only then withdraw.';

type Input = z.infer<ReturnType<typeof inputOf>>;
type Output = z.infer<typeof output>;

/**
 * Builds the unsigned transaction that requests the rollup to settle an owner's eATA and return it to base.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_OWNER, MINT_NOT_FOUND,
 * UNSUPPORTED_TOKEN_PROGRAM, VALIDATOR_UNRESOLVED, EATA_NOT_DELEGATED, EATA_SETTLING,
 * EATA_DELEGATED_ELSEWHERE, VALIDATOR_MISMATCH, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export function createUndelegate({ clusters }: { readonly clusters: Clusters }): Operation<Input, Output> {
  return {
    name: 'undelegate',
    title: 'Build an undelegation',
    description:
      "Builds an unsigned transaction that asks the rollup to settle the owner's ephemeral token account and return it to the base ledger, where its tokens can then be withdrawn. Returns the transaction as base64, neither signed nor sent. The owner must sign it and send it to the rollup.",
    effect: 'build',
    input: inputOf(clusters.names) as z.ZodType<Input>,
    output,
    worksOn: ({ rollup }) => rollup !== null,
    run: async ({ payer, mint, ...input }, { token }) => {
      const chain = clusters.resolve(input.cluster);
      const rollup = requireRollup('undelegate', chain, clusters);
      requireWallet(payer, 'payer', 'an undelegation');
      const [facts, state] = await Promise.all([
        readMint(chain, mint),
        readUndelegateState(chain, rollup, { owner: payer, mint }),
      ]);
      requireHoldable(facts, chain.layout);
      const instructions = planUndelegate({
        owner: payer,
        mint,
        tokenProgram: facts.tokenProgram,
        walletValidator: chain.layout === 'a' ? null : state.walletValidator,
      });
      const built = await buildTransaction(chain, payer, instructions, { sendTo: 'ephemeral', token });
      const warnings = endpointWarnings(built);
      const does = `It asks validator ${state.validator} to settle and return the ephemeral token account of ${payer} for mint ${mint}.`;
      return {
        output: {
          kind: 'undelegateEphemeralAta',
          ...built,
          ...notesOf([does, AFTERWARDS]),
          ...warningsOf(warnings),
        },
        sentences: [
          'Built an unsigned SPL undelegate transaction.',
          `${does} Sign it as ${payer} and send it to the rollup before its block height ${built.lastValidBlockHeight} has passed. ${AFTERWARDS}`,
          ...warningSentences(warnings),
        ],
      };
    },
  };
}
