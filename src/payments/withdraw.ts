import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import type { Random } from '../ports/random.ts';
import { builtTransactionMembers, notesMember, warningsMember } from './building/built-transaction.ts';
import { beginVaultPayment, finishVaultPayment } from './building/vault-payment.ts';
import { layoutANames } from './cluster-support.ts';
import type { Operation } from './operation.ts';
import { draftDirectWithdraw, draftShuttleWithdraw } from './withdraw/draft.ts';
import { isDirectWithdrawal, withdrawInput, type WithdrawInput } from './withdraw/request.ts';

const output = z.object({
  kind: z.literal('withdraw').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  validator: z
    .string()
    .meta({ description: "The validator the withdrawal is for: the one named, or the cluster's own." }),
  ...notesMember,
  ...warningsMember,
});

type Output = z.infer<typeof output>;

/**
 * Builds the unsigned transaction that brings tokens back to the owner's ATA: by a shuttle from the rollup,
 * or directly from the vault.
 *
 * Errors: CLUSTER_NOT_ALLOWED, INVALID_OWNER, MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM,
 * UNSUPPORTED_MINT_EXTENSION, VALIDATOR_UNRESOLVED, EATA_ALREADY_DELEGATED, EATA_DELEGATED_ELSEWHERE,
 * EATA_SETTLING, EATA_VALIDATOR_MISMATCH, EATA_BALANCE_TOO_LOW, TOKEN_ACCOUNT_NOT_FOUND,
 * TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE, TRANSACTION_TOO_LARGE, UPSTREAM_*.
 */
export function createWithdraw(deps: {
  readonly clusters: Clusters;
  readonly random: Random;
}): Operation<WithdrawInput, Output> {
  const { clusters, random } = deps;
  const direct = layoutANames(clusters);
  const settledFirst =
    direct === null
      ? ''
      : ` On ${direct} the owner's ephemeral token account must have been undelegated and settled before.`;
  return {
    name: 'withdraw',
    title: 'Build a withdrawal',
    description: `Builds an unsigned transaction that brings deposited SPL tokens back into the owner's token account on the base ledger. Returns the transaction as base64; it is neither signed nor sent. The owner must sign it and send it to the base ledger.${settledFirst}`,
    effect: 'build',
    input: withdrawInput(clusters) as z.ZodType<WithdrawInput>,
    output,
    run: async (input, { token }) => {
      const chain = clusters.resolve(input.cluster);
      const request = await beginVaultPayment(chain, input, input.mint, 'a withdrawal');
      const draft = isDirectWithdrawal(chain.layout, input)
        ? await draftDirectWithdraw(request)
        : await draftShuttleWithdraw(request, random, token);
      return finishVaultPayment('withdraw', request, draft);
    },
  };
}
