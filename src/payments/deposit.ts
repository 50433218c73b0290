import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import type { Random } from '../ports/random.ts';
import { builtTransactionMembers, notesMember, warningsMember } from './building/built-transaction.ts';
import { beginVaultPayment, finishVaultPayment } from './building/vault-payment.ts';
import { draftDeposit } from './deposit/draft.ts';
import { depositInput, type DepositInput } from './deposit/request.ts';
import { requireWhole } from './mints/mint-terms.ts';
import type { Operation } from './operation.ts';

const output = z.object({
  kind: z.literal('deposit').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  validator: z.string().meta({ description: 'The validator the ephemeral token account is delegated to.' }),
  ...notesMember,
  ...warningsMember,
});

type Output = z.infer<typeof output>;

/**
 * Builds the unsigned transaction that moves tokens into the vault and delegates the owner's ephemeral token
 * account.
 *
 * Errors: CLUSTER_NOT_ALLOWED, INVALID_OWNER, MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM,
 * UNSUPPORTED_MINT_EXTENSION, VALIDATOR_UNRESOLVED, EATA_ALREADY_DELEGATED, EATA_DELEGATED_ELSEWHERE,
 * EATA_SETTLING, EATA_VALIDATOR_MISMATCH, EATA_NOT_INITIALIZED, VAULT_NOT_INITIALIZED,
 * TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE, TRANSACTION_TOO_LARGE, UPSTREAM_*.
 */
export function createDeposit({
  clusters,
  random,
}: {
  readonly clusters: Clusters;
  readonly random: Random;
}): Operation<DepositInput, Output> {
  return {
    name: 'deposit',
    title: 'Build a deposit',
    description:
      "Builds an unsigned transaction that deposits SPL tokens from the owner's token account into the mint's vault and delegates the owner's ephemeral token account to a rollup validator. The tokens can then be paid privately on the rollup. Returns the transaction as base64, neither signed nor sent. The owner must sign it and send it to the base ledger.",
    effect: 'build',
    input: depositInput(clusters) as z.ZodType<DepositInput>,
    output,
    run: async (input) => {
      const chain = clusters.resolve(input.cluster);
      const request = await beginVaultPayment(chain, input, input.mint ?? chain.defaultMint, 'a deposit');
      // A mint with a transfer fee would leave the vault with less than the eATA is credited with.
      requireWhole(request.facts, request.terms);
      const draft = await draftDeposit(request, random);
      return finishVaultPayment('deposit', request, draft);
    },
  };
}
