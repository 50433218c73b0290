import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import type { Random } from '../ports/random.ts';
import { describeTokens } from './mints/common-mints.ts';
import {
  buildTransaction,
  builtTransactionMembers,
  type BuiltTransaction,
} from './building/built-transaction.ts';
import { signingAdvice, warningSentences, warningsMember, warningsOf, type Draft } from './building/draft.ts';
import { readMint, requireHoldable } from './mints/mint-facts.ts';
import { readMintTerms, requireMovable } from './mints/mint-terms.ts';
import { notesOfMint, warnOfMint } from './warnings/mint-warnings.ts';
import type { Operation, OperationResult } from './operation.ts';
import { requireWallet } from './accounts/wallet.ts';
import { draftDirectWithdraw } from './withdraw/draft-direct.ts';
import { draftShuttleWithdraw } from './withdraw/draft-shuttle.ts';
import { withdrawInput, type WithdrawInput, type WithdrawRequest } from './withdraw/request.ts';

const output = z.object({
  kind: z.literal('withdraw').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  validator: z
    .string()
    .meta({ description: "The validator the withdrawal is for: the one named, or the cluster's own." }),
  ...warningsMember,
});

type Output = z.infer<typeof output>;

/**
 * Builds the unsigned transaction that brings tokens back into the owner's ATA: through a shuttle from the rollup, or
 * straight from the vault.
 *
 * Errors: CLUSTER_NOT_ALLOWED, INVALID_OWNER, MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM, UNSUPPORTED_MINT_EXTENSION,
 * VALIDATOR_UNRESOLVED,
 * EATA_ALREADY_DELEGATED, EATA_DELEGATED_ELSEWHERE, EATA_SETTLING, EATA_VALIDATOR_MISMATCH, EATA_BALANCE_TOO_LOW,
 * TOKEN_ACCOUNT_NOT_FOUND, TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE, TRANSACTION_TOO_LARGE, UPSTREAM_*.
 */
export function createWithdraw(deps: {
  readonly clusters: Clusters;
  readonly random: Random;
}): Operation<WithdrawInput, Output> {
  const { clusters, random } = deps;
  return {
    name: 'withdraw',
    title: 'Build a withdrawal',
    description:
      "Builds an unsigned transaction that brings deposited SPL tokens back into the owner's token account on the base ledger. Returns the transaction as base64; it is neither signed nor sent. The owner must sign it and send it to the base ledger. On localnet the owner's ephemeral token account must have been undelegated and settled before.",
    effect: 'build',
    input: withdrawInput(clusters.names) as z.ZodType<WithdrawInput>,
    output,
    run: async (input) => {
      const chain = clusters.resolve(input.cluster);
      requireWallet(input.owner, 'owner', 'a withdrawal');
      const [facts, validator] = await Promise.all([
        readMint(chain, input.mint),
        input.validator ?? chain.validatorIdentity(),
      ]);
      requireHoldable(facts, chain.layout);
      const terms = await readMintTerms(chain, facts);
      requireMovable(facts, terms);
      const request: WithdrawRequest = { chain, input, facts, terms, validator };
      const isDirect = chain.layout === 'a' || !(input.idempotent ?? true);
      const draft = isDirect
        ? await draftDirectWithdraw(request)
        : await draftShuttleWithdraw(request, random);
      return present(request, draft, await buildTransaction(chain, input.owner, draft.instructions));
    },
  };
}

function present(
  { input, facts, terms, validator }: WithdrawRequest,
  draft: Draft,
  built: BuiltTransaction,
): OperationResult<Output> {
  const warnings = [...draft.warnings, ...warnOfMint(facts, terms, { amount: input.amount, creates: true })];
  return {
    output: { kind: 'withdraw', ...built, validator, ...warningsOf(warnings) },
    sentences: [
      'Built an unsigned SPL withdraw transaction.',
      `It withdraws ${describeTokens(input.amount, facts)}. ${signingAdvice(input.owner, built)}`,
      ...draft.notes,
      ...notesOfMint(facts, terms),
      ...warningSentences(warnings),
    ],
  };
}
