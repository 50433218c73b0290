import type { AccountView } from '../../ledger/state/account-state.ts';
import { readTokenAmount } from '../../ledger/state/token-keys.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { isEataSize, readEata } from '../../programs/ephemeral-token/state.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Projections } from '../projection/projections.ts';

/** The states amounts are read from, all of the same moment. */
export interface Ledgers {
  readonly base: AccountView;
  readonly rollup: Pick<AccountView, 'get'>;
  readonly projections: Pick<Projections, 'ofEata'>;
}

/** What an eATA claims of the vault of its mint. */
export interface Claim {
  readonly mint: Address;
  /** Base units it has on base. */
  readonly onBase: bigint;
  /**
   * Base units it has gained on the rollup since its last settlement, negative when it has lost some; null
   * where it is delegated to the rollup and what it has there cannot be read.
   */
  readonly gained: bigint | null;
}

/** The programs that eATAs belong to on base: while they are delegated, and otherwise. */
const OWNERS: readonly Address[] = [EPHEMERAL_TOKEN_PROGRAM, DELEGATION_PROGRAM];

/** Whether an account on base may be an eATA, by whose it is and by its size. */
export function mayClaim({ owner, data }: Account): boolean {
  return OWNERS.includes(owner) && isEataSize(data);
}

/** What the account at an address on base claims; null when it is no eATA. */
export function claimOf(
  address: Address,
  account: Account,
  { rollup, projections }: Pick<Ledgers, 'rollup' | 'projections'>,
): Claim | null {
  if (!mayClaim(account)) return null;
  const eata = readEata(account);
  if (eata === null || eata.address !== address) return null;
  const { mint, amount } = eata;
  // Base decides for what is not delegated there, even if the rollup has not followed yet.
  const projection = account.owner === DELEGATION_PROGRAM ? projections.ofEata(address) : undefined;
  if (projection === undefined) return { mint, onBase: amount, gained: 0n };
  const ata = rollup.get(projection.ata);
  const isReadable = ata !== undefined && ata.data.length >= TOKEN_ACCOUNT_BYTES;
  return { mint, onBase: amount, gained: isReadable ? readTokenAmount(ata.data) - amount : null };
}

/** Every eATA there is, with what it claims: reads all of them. */
export function* allClaims(ledgers: Ledgers): Iterable<readonly [Address, Claim]> {
  for (const program of OWNERS) {
    for (const [address, account] of ledgers.base.ownedBy(program)) {
      const claim = claimOf(address, account, ledgers);
      if (claim !== null) yield [address, claim];
    }
  }
}

/** What the eATAs of one mint claim together. */
export class MintClaims {
  /** Base units they have on base. */
  onBase = 0n;
  /** Base units they have gained on the rollup, together. */
  gained = 0n;
  readonly #gains = new Map<Address, bigint>();
  /** Those of which it cannot be read what they have on the rollup. */
  readonly #unreadable = new Set<Address>();

  /** What each has gained on the rollup, without those that have the same. Valid until the next change. */
  get gains(): ReadonlyMap<Address, bigint> {
    return this.#gains;
  }

  /** Whether all of them could be read. */
  get isWhole(): boolean {
    return this.#unreadable.size === 0;
  }

  add(eata: Address, { onBase, gained }: Claim): void {
    this.onBase += onBase;
    if (gained === null) this.#unreadable.add(eata);
    else if (gained !== 0n) this.#gains.set(eata, gained);
    this.gained += gained ?? 0n;
  }

  /** Whether these are the same figures, of the same eATAs as far as they differ between the ledgers. */
  equals(other: MintClaims): boolean {
    return (
      this.onBase === other.onBase &&
      this.gained === other.gained &&
      this.#gains.size === other.#gains.size &&
      [...this.#gains].every(([eata, gained]) => other.#gains.get(eata) === gained) &&
      this.#unreadable.size === other.#unreadable.size &&
      [...this.#unreadable].every((eata) => other.#unreadable.has(eata))
    );
  }

  /** Takes away what was added. */
  remove(eata: Address, { onBase, gained }: Claim): void {
    this.onBase -= onBase;
    this.gained -= gained ?? 0n;
    this.#gains.delete(eata);
    this.#unreadable.delete(eata);
  }
}

/** Adds what an eATA claims to the claims of its mint. */
export function addClaim(mints: Map<Address, MintClaims>, eata: Address, claim: Claim): void {
  let mint = mints.get(claim.mint);
  if (mint === undefined) mints.set(claim.mint, (mint = new MintClaims()));
  mint.add(eata, claim);
}

/** What the eATAs of every mint claim together, by mint; reads all of them. */
export function claimsByMint(ledgers: Ledgers): ReadonlyMap<Address, MintClaims> {
  const mints = new Map<Address, MintClaims>();
  for (const [eata, claim] of allClaims(ledgers)) addClaim(mints, eata, claim);
  return mints;
}
