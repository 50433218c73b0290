import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import type { Random } from '../ports/random.ts';
import { builtTransactionMembers, notesMember, warningsMember } from './building/built-transaction.ts';
import { beginVaultPayment, finishVaultPayment, type VaultRequest } from './building/vault-payment.ts';
import { layoutANames } from './cluster-support.ts';
import { draftDeposit } from './deposit/draft.ts';
import { address, amount, cluster, flag } from './fields/fields.ts';
import { requireWhole } from './mints/mint-terms.ts';
import type { Operation } from './operation.ts';

/** Builds the input schema for a deposit, for a service with these clusters. */
export function depositInput(clusters: Clusters) {
  const words = textsFor(layoutANames(clusters));
  return z.strictObject({
    owner: address('The wallet whose tokens are deposited. It signs and pays.'),
    amount: amount(
      "How much to deposit, in the mint's base units (1 USDC = 1000000). An integer, or a decimal string up to 18446744073709551615.",
    ),
    mint: address("The mint of the tokens. Default: the cluster's USDC.").optional(),
    validator: address("The validator to delegate to. Default: the cluster's own.").optional(),
    cluster: cluster(clusters.names).optional(),
    private: flag(
      'Create the permission account that lets only the owner read the deposit on the rollup. Default: true.',
    ).optional(),
    initIfMissing: flag("Create the owner's ephemeral token account. Default: true.").optional(),
    initAtasIfMissing: flag(
      `Create the owner's token account (ATA). Default: false. ${words.ataEffect}`,
    ).optional(),
    initVaultIfMissing: flag(
      `Create the vault of the mint and its token account. Default: ${words.vaultDefault}`,
    ).optional(),
    idempotent: flag(
      `True deposits through a shuttle, which works even while the ephemeral token account is delegated; false deposits directly and then delegates. ${words.directOnly}Default: true.`,
    ).optional(),
  });
}

/** Returns the argument descriptions that depend on the layout. `direct` names the clusters with layout A. */
function textsFor(direct: string | null) {
  if (direct === null) {
    return {
      ataEffect: 'Without effect when idempotent is false.',
      vaultDefault: 'false; if idempotent is false, the value of initIfMissing.',
      directOnly: '',
    };
  }
  return {
    ataEffect: `Without effect outside ${direct} when idempotent is false.`,
    vaultDefault: `on ${direct} true if the vault does not exist. Elsewhere false; if idempotent is false, the value of initIfMissing.`,
    directOnly: `On ${direct} every deposit is direct, so this has no effect. `,
  };
}

export type DepositInput = z.infer<ReturnType<typeof depositInput>>;

/** A deposit with its chain and its defaults resolved. */
export type DepositRequest = VaultRequest<DepositInput>;

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
      // With a transfer fee, the vault would receive less than the eATA is credited.
      requireWhole(request.facts, request.terms);
      const draft = await draftDeposit(request, random);
      return finishVaultPayment('deposit', request, draft);
    },
  };
}
