import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import type { Random } from '../ports/random.ts';
import { describeTokens } from './mints/common-mints.ts';
import {
  buildTransaction,
  builtTransactionMembers,
  type BuiltTransaction,
} from './building/built-transaction.ts';
import { draftDeposit } from './deposit/draft.ts';
import { depositInput, type DepositInput, type DepositRequest } from './deposit/request.ts';
import { signingAdvice, warningSentences, warningsMember, warningsOf, type Draft } from './building/draft.ts';
import { readMint, requireHoldable } from './mints/mint-facts.ts';
import { readMintTerms, requireMovable, requireWhole } from './mints/mint-terms.ts';
import { notesOfMint, warnOfMint } from './warnings/mint-warnings.ts';
import type { Operation, OperationResult } from './operation.ts';
import { requireWallet } from './accounts/wallet.ts';

const output = z.object({
  kind: z.literal('deposit').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  validator: z.string().meta({ description: 'The validator the ephemeral token account is delegated to.' }),
  ...warningsMember,
});

type Output = z.infer<typeof output>;

/**
 * Builds the unsigned transaction that moves tokens into the vault and delegates the owner's ephemeral token account.
 *
 * Errors: CLUSTER_NOT_ALLOWED, INVALID_OWNER, MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM, UNSUPPORTED_MINT_EXTENSION,
 * VALIDATOR_UNRESOLVED,
 * EATA_ALREADY_DELEGATED, EATA_DELEGATED_ELSEWHERE, EATA_SETTLING, EATA_VALIDATOR_MISMATCH, EATA_NOT_INITIALIZED,
 * VAULT_NOT_INITIALIZED, TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE, TRANSACTION_TOO_LARGE, UPSTREAM_*.
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
      "Builds an unsigned transaction that deposits SPL tokens from the owner's token account into the mint's vault and delegates the owner's ephemeral token account to a rollup validator, where the tokens can then be paid on privately. Returns the transaction as base64; it is neither signed nor sent. The owner must sign it and send it to the base ledger.",
    effect: 'build',
    input: depositInput(clusters.names) as z.ZodType<DepositInput>,
    output,
    run: async (input) => {
      const chain = clusters.resolve(input.cluster);
      requireWallet(input.owner, 'owner', 'a deposit');
      const [facts, validator] = await Promise.all([
        readMint(chain, input.mint ?? chain.defaultMint),
        input.validator ?? chain.validatorIdentity(),
      ]);
      requireHoldable(facts, chain.layout);
      const terms = await readMintTerms(chain, facts);
      requireMovable(facts, terms);
      requireWhole(facts, terms);
      const request: DepositRequest = { chain, input, facts, terms, validator };
      const draft = await draftDeposit(request, random);
      return present(request, draft, await buildTransaction(chain, input.owner, draft.instructions));
    },
  };
}

function present(
  { input, facts, terms, validator }: DepositRequest,
  draft: Draft,
  built: BuiltTransaction,
): OperationResult<Output> {
  const warnings = [...draft.warnings, ...warnOfMint(facts, terms, { amount: input.amount, creates: true })];
  return {
    output: { kind: 'deposit', ...built, validator, ...warningsOf(warnings) },
    sentences: [
      'Built an unsigned SPL deposit transaction.',
      `It deposits ${describeTokens(input.amount, facts)}. ${signingAdvice(input.owner, built)}`,
      ...draft.notes,
      ...notesOfMint(facts, terms),
      ...warningSentences(warnings),
    ],
  };
}
