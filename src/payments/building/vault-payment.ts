import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { requireWallet } from '../accounts/wallet.ts';
import { describeTokens } from '../mints/common-mints.ts';
import { readMint, requireHoldable, type MintFacts } from '../mints/mint-facts.ts';
import { readMintTerms, requireMovable, type MintTerms } from '../mints/mint-terms.ts';
import type { OperationResult } from '../operation.ts';
import { notesOfMint, warnOfMint } from '../warnings/mint-warnings.ts';
import { buildTransaction, type BuiltTransaction, type Warning } from './built-transaction.ts';
import { notesOf, signingAdvice, warningSentences, warningsOf, type Draft } from './draft.ts';

/** Into the vault or out of it; also what the transaction does, as a verb. */
type VaultPaymentKind = 'deposit' | 'withdraw';

/** What is asked for of a mint's vault: an owner pays into it or takes out of it. */
interface VaultInput {
  readonly owner: Address;
  /** Base units. */
  readonly amount: bigint;
  readonly validator?: Address | undefined;
}

/** What a caller asks for of a vault, with the chain it is for and what was left out looked up. */
export interface VaultRequest<Input extends VaultInput> {
  readonly chain: Chain;
  readonly input: Input;
  readonly facts: MintFacts;
  /** Null for a mint of SPL Token. */
  readonly terms: MintTerms | null;
  readonly validator: Address;
}

/**
 * Looks up what is needed for either, and refuses what the vault could not take or give.
 *
 * @param what the transaction, with its article.
 * @throws {ServiceError} INVALID_OWNER, MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM, UNSUPPORTED_MINT_EXTENSION,
 *   VALIDATOR_UNRESOLVED, ACCOUNT_UNREADABLE.
 */
export async function beginVaultPayment<Input extends VaultInput>(
  chain: Chain,
  input: Input,
  mint: Address,
  what: string,
): Promise<VaultRequest<Input>> {
  requireWallet(input.owner, 'owner', what);
  const [facts, validator] = await Promise.all([
    readMint(chain, mint),
    input.validator ?? chain.validatorIdentity(),
  ]);
  requireHoldable(facts, chain.layout);
  const terms = await readMintTerms(chain, facts);
  requireMovable(facts, terms);
  return { chain, input, facts, terms, validator };
}

/** What a vault payment is answered with, besides what only one kind has. */
interface VaultPayment<Kind extends VaultPaymentKind> extends BuiltTransaction {
  readonly kind: Kind;
  readonly validator: Address;
  readonly notes?: string[];
  readonly warnings?: Warning[];
}

/**
 * Builds the transaction of a draft and says what it does.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
export async function finishVaultPayment<Kind extends VaultPaymentKind>(
  kind: Kind,
  { chain, input, facts, terms, validator }: VaultRequest<VaultInput>,
  draft: Draft,
): Promise<OperationResult<VaultPayment<Kind>>> {
  const { owner, amount } = input;
  const built = await buildTransaction(chain, owner, draft.instructions);
  const warnings = [...draft.warnings, ...warnOfMint(facts, terms, { amount, creates: true })];
  const does = `It ${kind}s ${describeTokens(amount, facts)}.`;
  const besides = [...draft.notes, ...notesOfMint(facts, terms)];
  return {
    output: { kind, ...built, validator, ...notesOf([does, ...besides]), ...warningsOf(warnings) },
    sentences: [
      `Built an unsigned SPL ${kind} transaction.`,
      `${does} ${signingAdvice(owner, built)}`,
      ...besides,
      ...warningSentences(warnings),
    ],
  };
}
