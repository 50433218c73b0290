import type { AccountView } from '../../ledger/state/account-state.ts';
import { readTokenAmount } from '../../ledger/state/token-keys.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Projection } from '../projection/projection.ts';
import type { Projections } from '../projection/projections.ts';

/** A mint and the token program it belongs to. */
export type MintKeys = Pick<Projection, 'mint' | 'tokenProgram'>;

/** Where amounts are read, all as of the same moment. */
export interface Ledgers {
  readonly base: AccountView;
  readonly rollup: Pick<AccountView, 'get'>;
  readonly projections: Pick<Projections, 'ofEata'>;
}

/** The tokens of a mint, base units. */
export interface Books {
  /**
   * What the vault has beyond what is owed: by the rollup's amount where an eATA is delegated to the rollup, by base's
   * where it is not. Anybody can send some there; nothing may take any away.
   */
  readonly surplus: bigint;
  /** What the vault has beyond what the eATAs say on base alone: by so much they may grow there. */
  readonly room: bigint;
  /** What each eATA has gained on the rollup since base was last told; those with no difference are left out. */
  readonly gains: ReadonlyMap<Address, bigint>;
}

/** Something is not as it has to be; nothing may be submitted. */
export class Doubt extends Error {
  override readonly name = 'Doubt';
}

/** The account that holds the tokens of a mint's vault. */
export function vaultAtaOf({ mint, tokenProgram }: MintKeys): Address {
  return deriveAta(deriveVault(mint).address, mint, tokenProgram).address;
}

/**
 * Adds up a mint.
 *
 * @throws {Doubt} when the vault has less than what is owed, on the rollup or on base, or cannot be read.
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
      // What is not delegated on base is what base says, whatever the rollup has still to hear of it.
      const projection = program === DELEGATION_PROGRAM ? projections.ofEata(address) : undefined;
      if (projection === undefined) continue;
      const gained = readTokenAmount((rollup.get(projection.ata) as Account).data) - eata.amount;
      owed += gained;
      if (gained !== 0n) gains.set(address, gained);
    }
  }
  const vault = readVault(keys, base, owed > 0n || owedOnBase > 0n);
  const missing = (owed > owedOnBase ? owed : owedOnBase) - vault;
  if (missing > 0n) throw new Doubt(`the vault on base has ${missing} base units less than is owed`);
  return { surplus: vault - owed, room: vault - owedOnBase, gains };
}

function readVault(keys: MintKeys, base: AccountView, isNeeded: boolean): bigint {
  const account = base.get(vaultAtaOf(keys));
  const vault = account?.owner === keys.tokenProgram ? decodeTokenAccount(account.data) : null;
  if (vault === null && isNeeded) throw new Doubt('the vault on base cannot be read');
  return vault?.amount ?? 0n;
}

/** What an account says as an eATA, and the one address at which it is one. */
interface EataFacts {
  readonly address: Address;
  readonly mint: Address;
  readonly amount: bigint;
}

/** Accounts are replaced and never changed, so what was read from one stays true of it. */
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
