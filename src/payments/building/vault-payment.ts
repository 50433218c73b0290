import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { requireWallet } from '../accounts/wallet.ts';
import { describeTokens } from '../mints/common-mints.ts';
import { type MintFacts, readMint, requireHoldable } from '../mints/mint-facts.ts';
import { type MintTerms, readMintTerms, requireMovable } from '../mints/mint-terms.ts';
import { buildTransaction, type Draft, presentBuilt, signingAdvice } from './built-transaction.ts';
import { notesOfMint, warnOfMint } from './warnings.ts';

interface VaultInput {
  readonly owner: Address;
  /** Amount, in base units. */
  readonly amount: bigint;
  readonly validator?: Address | undefined;
}

/** A vault request with its chain and its defaults resolved. */
export interface VaultRequest<Input extends VaultInput> {
  readonly chain: Chain;
  readonly input: Input;
  readonly facts: MintFacts;
  /** The Token-2022 terms of the mint; null for SPL Token mints. */
  readonly terms: MintTerms | null;
  readonly validator: Address;
}

/**
 * Resolves a vault request, and rejects mints and accounts that the vault cannot serve.
 *
 * @param what the transaction, with its article.
 * @throws {ServiceError} INVALID_OWNER, MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM,
 *   UNSUPPORTED_MINT_EXTENSION, VALIDATOR_UNRESOLVED, ACCOUNT_UNREADABLE.
 */
export async function beginVaultPayment<Input extends VaultInput>(
  chain: Chain,
  input: Input,
  mint: Address,
  what: string,
): Promise<VaultRequest<Input>> {
  requireWallet(input.owner, 'owner', what);
  chain.expectBlockhash?.();
  const [facts, validator] = await Promise.all([
    readMint(chain, mint),
    input.validator ?? chain.validatorIdentity(),
  ]);
  requireHoldable(facts, chain.layout);
  const terms = await readMintTerms(chain, facts);
  requireMovable(facts, terms);
  return { chain, input, facts, terms, validator };
}

/**
 * Builds the transaction from a draft and describes it.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
export async function finishVaultPayment<Kind extends 'deposit' | 'withdraw'>(
  kind: Kind,
  { chain, input, facts, terms, validator }: VaultRequest<VaultInput>,
  draft: Draft,
) {
  const { owner, amount } = input;
  const built = await buildTransaction(chain, owner, draft.instructions);
  const warnings = [...draft.warnings, ...warnOfMint(facts, terms, { amount, creates: true })];
  const does = `It ${kind}s ${describeTokens(amount, facts)}.`;
  const notes = [...draft.notes, ...notesOfMint(facts, terms)];
  return presentBuilt(
    `Built an unsigned SPL ${kind} transaction.`,
    { kind, ...built, validator },
    { does, next: signingAdvice(owner, built), notes, warnings },
  );
}
