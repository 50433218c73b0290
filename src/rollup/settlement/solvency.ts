import type { AccountView } from '../../ledger/state/account-state.ts';
import { readTokenAmount } from '../../ledger/state/token-keys.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { VAULT_BYTES_B } from '../../programs/ephemeral-token/layout-b/account-sizes.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Projection } from '../projection/projection.ts';
import type { Projections } from '../projection/projections.ts';

/** A mint and the token program it belongs to. */
export type MintKeys = Pick<Projection, 'mint' | 'tokenProgram'>;

/** The states amounts are read from, all of the same moment. */
export interface Ledgers {
  readonly base: AccountView;
  readonly rollup: Pick<AccountView, 'get'>;
  readonly projections: Pick<Projections, 'ofEata'>;
}

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
   * out.
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
 * Adds up the claims of a mint.
 *
 * @throws {Doubt} when the vault has less than what is owed, on layout A also by what base says, or cannot be
 *   read.
 */
export function readBooks(keys: MintKeys, { base, rollup, projections }: Ledgers): Books {
  let owed = 0n;
  let owedOnBase = 0n;
  const gains = new Map<Address, bigint>();
  for (const program of [EPHEMERAL_TOKEN_PROGRAM, DELEGATION_PROGRAM]) {
    for (const [address, account] of base.ownedBy(program)) {
      const eata = readEata(account);
      if (eata === null || eata.mint !== keys.mint || eata.address !== address) continue;
      owedOnBase += eata.amount;
      owed += eata.amount;
      // Base decides for what is not delegated there, even if the rollup has not followed yet.
      const projection = program === DELEGATION_PROGRAM ? projections.ofEata(address) : undefined;
      if (projection === undefined) continue;
      const gained = readTokenAmount((rollup.get(projection.ata) as Account).data) - eata.amount;
      owed += gained;
      if (gained !== 0n) gains.set(address, gained);
    }
  }
  const vault = readVault(keys, base, owed > 0n || owedOnBase > 0n);
  const claimed = hasQueues(keys, base) ? 0n : owedOnBase;
  const missing = (owed > claimed ? owed : claimed) - vault;
  if (missing > 0n) throw new Doubt(`the vault on base has ${missing} base units less than is owed`);
  return { surplus: vault - owed, room: vault - claimed, gains };
}

/** Whether the vault of a mint is one of layout B, out of which queues pay. */
function hasQueues({ mint }: MintKeys, base: AccountView): boolean {
  return base.get(deriveVault(mint).address)?.data.length === VAULT_BYTES_B;
}

function readVault(keys: MintKeys, base: AccountView, isNeeded: boolean): bigint {
  const account = base.get(vaultAtaOf(keys));
  const vault = account?.owner === keys.tokenProgram ? decodeTokenAccount(account.data) : null;
  if (vault === null && isNeeded) throw new Doubt('the vault on base cannot be read');
  return vault?.amount ?? 0n;
}

/** The eATA in an account, and the one address at which it is valid. */
interface EataFacts {
  readonly address: Address;
  readonly mint: Address;
  readonly amount: bigint;
}

/** Account objects are replaced, never changed, so what was decoded from one stays valid for it. */
const known = new WeakMap<Account, EataFacts | null>();

function readEata(account: Account): EataFacts | null {
  let facts = known.get(account);
  if (facts !== undefined) return facts;
  const eata = decodeEata(account.data);
  facts =
    eata === null
      ? null
      : { address: deriveEata(eata.owner, eata.mint).address, mint: eata.mint, amount: eata.amount };
  known.set(account, facts);
  return facts;
}
