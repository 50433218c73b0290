import type { AccountView } from '../../ledger/state/account-state.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { VAULT_BYTES_B } from '../../programs/ephemeral-token/layout-b/eata.ts';
import { deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Projection } from '../projection/projection.ts';
import type { MintClaims } from './claim.ts';

/** A mint and the token program it belongs to. */
export type MintKeys = Pick<Projection, 'mint' | 'tokenProgram'>;

/** The tokens of a mint, base units. */
export interface Books {
  /**
   * Base units in the vault beyond all claims: an eATA delegated to the rollup claims its amount there, any
   * other its amount on base. Anybody can add to the vault; nothing may take from it.
   */
  readonly surplus: bigint;
  /**
   * The room for claims to grow on base, base units: on layout A what the vault has beyond the claims there.
   * On layout B payouts are taken from the vault while those who paid stay delegated, so that what base says
   * of delegated eATAs is out of date and counts for nothing: all that the vault has is room.
   */
  readonly room: bigint;
  /**
   * What each eATA has gained on the rollup since its last settlement; eATAs without a difference are left
   * out. Valid until the next change of an account.
   */
  readonly gains: ReadonlyMap<Address, bigint>;
}

/** The books do not add up; nothing may be submitted. */
export class Doubt extends Error {
  override readonly name = 'Doubt';
}

/** The account that holds the tokens of a mint's vault. */
export function vaultAtaOf({ mint, tokenProgram }: MintKeys): Address {
  return deriveAta(deriveVault(mint).address, mint, tokenProgram).address;
}

/**
 * Holds what the eATAs of a mint claim against its vault.
 *
 * @throws {Doubt} when the vault has less than what is owed, on layout A also by what base says, or when the
 *   vault or what an eATA has on the rollup cannot be read.
 */
export function booksOf(keys: MintKeys, claims: MintClaims, base: Pick<AccountView, 'get'>): Books {
  if (!claims.isWhole) throw new Doubt('what an eATA has on the rollup cannot be read');
  const { onBase, gains } = claims;
  const owed = onBase + claims.gained;
  const vault = readVault(keys, base, owed > 0n || onBase > 0n);
  const claimed = hasQueues(keys, base) ? 0n : onBase;
  const missing = (owed > claimed ? owed : claimed) - vault;
  if (missing > 0n) throw new Doubt(`the vault on base has ${missing} base units less than is owed`);
  return { surplus: vault - owed, room: vault - claimed, gains };
}

/** Whether the vault of a mint is one of layout B, out of which queues pay. */
function hasQueues({ mint }: MintKeys, base: Pick<AccountView, 'get'>): boolean {
  return base.get(deriveVault(mint).address)?.data.length === VAULT_BYTES_B;
}

function readVault(keys: MintKeys, base: Pick<AccountView, 'get'>, isNeeded: boolean): bigint {
  const account = base.get(vaultAtaOf(keys));
  const vault = account?.owner === keys.tokenProgram ? decodeTokenAccount(account.data) : null;
  if (vault === null && isNeeded) throw new Doubt('the vault on base cannot be read');
  return vault?.amount ?? 0n;
}
