import type { AccountView } from '../../ledger/state/account-state.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeMint, decodeTokenAccount } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { BookState, MintBook } from '../answers.ts';
import type { BaseClaims, BaseFacts } from './base-claims.ts';

/** What a book is made of besides what base shows. */
interface BookContext {
  readonly base: AccountView;
  readonly facts: BaseFacts;
  readonly slot: number;
  /** Null for a mint that the service does not know. */
  readonly symbolOf: (mint: Address) => string | null;
}

/** What a vault has, owes and lacks. */
interface Totals {
  readonly amount: bigint | null;
  readonly owed: bigint;
  readonly missing: bigint | null;
}

const NO_CLAIMS: Readonly<BaseClaims> = { onRollup: 0n, wayBack: 0n, ready: 0n, hasDelegated: false };

/** The book of a mint. */
export function readMintBook(mint: Address, context: BookContext): MintBook {
  const { base, facts, slot, symbolOf } = context;
  const mintAccount = base.get(mint);
  const vaultAta = mintAccount && deriveAta(deriveVault(mint).address, mint, mintAccount.owner).address;
  const vaultAccount = vaultAta && base.get(vaultAta);
  const isToken = vaultAccount?.owner === mintAccount?.owner;
  const holding = vaultAccount && isToken ? decodeTokenAccount(vaultAccount.data) : null;
  const amount = holding?.amount ?? null;
  const claims = facts.claims.get(mint) ?? NO_CLAIMS;
  const owed = claims.onRollup + claims.wayBack + claims.ready;
  // On layout B tokens come to eATAs that are delegated already, and payouts leave the vault while those who
  // paid stay delegated: of what base says of them, nothing follows for the vault.
  const isOutOfDate = facts.vaults.get(mint) === 'b' && claims.hasDelegated;
  const missing = missingFrom(amount, isOutOfDate ? claims.ready : owed);
  return {
    mint,
    symbol: symbolOf(mint),
    decimals: (mintAccount && decodeMint(mintAccount.data)?.decimals) ?? null,
    vault: { address: vaultAta ?? null, amount: amount === null ? null : String(amount) },
    owed: String(owed),
    onRollup: String(claims.onRollup),
    wayBack: String(claims.wayBack),
    ready: String(claims.ready),
    surplus: String(amount !== null && amount > owed ? amount - owed : 0n),
    state: stateOf({ amount, owed, missing }, claims, isOutOfDate),
    difference: missing === null || missing === 0n ? null : String(missing),
    asOfSlot: slot,
  };
}

/** What the vault lacks of an amount; null where it cannot be read, and there is such an amount. */
function missingFrom(amount: bigint | null, needed: bigint): bigint | null {
  if (needed === 0n) return 0n;
  if (amount === null) return null;
  return needed > amount ? needed - amount : 0n;
}

/**
 * While anything is delegated, base has not been told of the payments since: a vault with more than base says
 * is owed is then not at odds with it.
 */
function stateOf(
  { amount, owed, missing }: Totals,
  { hasDelegated }: Readonly<BaseClaims>,
  isOutOfDate: boolean,
): BookState {
  if (missing !== 0n) return 'disagree';
  if (isOutOfDate) return 'under-way';
  if ((amount ?? 0n) === 0n && owed === 0n) return 'empty';
  if (amount === owed || !hasDelegated) return 'agree';
  return 'under-way';
}
