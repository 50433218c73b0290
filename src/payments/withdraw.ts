import { z } from 'zod';
import type { Layout } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import type { Random } from '../ports/random.ts';
import { builtTransactionMembers, notesMember, warningsMember } from './building/built-transaction.ts';
import { beginVaultPayment, finishVaultPayment, type VaultRequest } from './building/vault-payment.ts';
import { layoutANames } from './cluster-support.ts';
import { address, amount, cluster, escrowIndex, flag } from './fields/fields.ts';
import type { Operation } from './operation.ts';
import { draftDirectWithdraw, draftShuttleWithdraw } from './withdraw/draft.ts';

/** Builds the input schema for a withdrawal, for a service with these clusters. */
export function withdrawInput(clusters: Clusters) {
  const direct = layoutANames(clusters);
  const onDirect = direct === null ? '' : `on ${direct} and `;
  const directOnly = direct === null ? '' : `On ${direct} every withdrawal is directly from the vault. `;
  return z.strictObject({
    owner: address('The wallet whose tokens are withdrawn. It receives them, signs and pays.'),
    mint: address('The mint of the tokens.'),
    amount: amount(
      "How much to withdraw, in the mint's base units (1 USDC = 1000000). An integer, or a decimal string up to 18446744073709551615.",
    ),
    validator: address(
      "The validator the ephemeral token account is delegated to. Default: the cluster's own.",
    ).optional(),
    cluster: cluster(clusters.names).optional(),
    initIfMissing: flag(
      `Create the owner's ephemeral token account. Default: true. Without effect ${onDirect}when idempotent is false.`,
    ).optional(),
    initAtasIfMissing: flag(
      "Create the owner's token account (ATA), which receives the tokens. Default: false.",
    ).optional(),
    escrowIndex: escrowIndex(
      'Accepted for compatibility with the hosted API: an integer from 0 to 255. It does not affect the transaction.',
    ).optional(),
    idempotent: flag(
      `True withdraws from the rollup through a shuttle. False withdraws directly from the vault, which requires an ephemeral token account that is not delegated. ${directOnly}If false, a withdrawal of wrapped SOL closes the token account, and everything in it becomes plain SOL. Default: true.`,
    ).optional(),
  });
}

export type WithdrawInput = z.infer<ReturnType<typeof withdrawInput>>;

/** A withdrawal with its chain and its defaults resolved. */
export type WithdrawRequest = VaultRequest<WithdrawInput>;

/** Checks whether the vault pays a withdrawal directly: always on layout A, on layout B only on request. */
export const isDirectWithdrawal = (
  layout: Layout,
  { idempotent = true }: Pick<WithdrawInput, 'idempotent'>,
): boolean => layout === 'a' || !idempotent;

const output = z.object({
  kind: z.literal('withdraw').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  validator: z
    .string()
    .meta({ description: "The validator the withdrawal is for: the requested one, or the cluster's own." }),
  ...notesMember,
  ...warningsMember,
});

type Output = z.infer<typeof output>;

/**
 * Builds the unsigned transaction that returns tokens to the owner's ATA: through a shuttle from the rollup,
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
      : ` On ${direct} the owner's ephemeral token account must be undelegated and settled first.`;
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
