import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { BaseLedger } from '../base-ledger.ts';
import type { Projections } from '../projection/projections.ts';
import { addClaim, allClaims, claimOf, mayClaim, MintClaims, type Claim, type Ledgers } from './claim.ts';

/** What {@link Claims} are read from. */
interface ClaimsParts {
  readonly base: Pick<BaseLedger, 'state' | 'observe'>;
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'observe'>;
  readonly projections: Pick<Projections, 'ofEata' | 'ofAta' | 'listen'>;
}

const NONE = new MintClaims();

/**
 * What all eATAs of every mint claim, kept up to date: an eATA is read again when an account it is read from
 * has changed, and at no other time. All are read the first time, and again after either ledger was reset.
 *
 * Invariant: an eATA that is not marked claims what was last read of it. Both ledgers tell of every account
 * as it is put in place, also of those that are there for one run and of those that never become durable, and
 * the projections of every one that comes or goes. Nothing is added up from what changed: what is marked is
 * read as it is by then, so that no order of changes, and none that is taken back, can make the sums wrong.
 */
export class Claims {
  readonly #parts: ClaimsParts;
  /** By eATA; null until all have been read. */
  #claims: Map<Address, Claim> | null = null;
  readonly #mints = new Map<Address, MintClaims>();
  /** What may not be an eATA at all. */
  readonly #marked = new Set<Address>();
  readonly #ends: readonly (() => void)[];

  constructor(parts: ClaimsParts) {
    this.#parts = parts;
    const { base, ledger, projections } = parts;
    const noteReset = (): void => this.#forgetAll();
    this.#ends = [
      base.observe({ noteAccount: (...entry) => this.#noteOnBase(...entry), noteReset }),
      ledger.observe({ noteAccount: (address) => this.#noteAta(address), noteReset }),
      projections.listen(({ eata }) => this.#mark(eata)),
    ];
  }

  /** What the eATAs of a mint claim now. Valid until the next change. */
  of(mint: Address): MintClaims {
    this.#update();
    return this.#mints.get(mint) ?? NONE;
  }

  /**
   * Reads every eATA and compares that with what is kept: for tests, as it takes as long as there are eATAs.
   *
   * @throws {Error} naming the first eATA or mint of which anything else is kept.
   */
  assertExact(): void {
    const claims = this.#update();
    const all = new Map(allClaims(this.#ledgers()));
    const sums = new Map<Address, MintClaims>();
    for (const [eata, claim] of all) addClaim(sums, eata, claim);
    for (const eata of new Set([...claims.keys(), ...all.keys()])) {
      if (!isSame(claims.get(eata), all.get(eata))) throw new Error(`the claim of ${eata} is out of date`);
    }
    for (const [mint, kept] of this.#mints) {
      if (!kept.equals(sums.get(mint) ?? NONE)) throw new Error(`the claims of ${mint} do not add up`);
    }
  }

  /** Stops following. */
  close(): void {
    for (const end of this.#ends) end();
  }

  #ledgers(): Ledgers {
    const { base, ledger, projections } = this.#parts;
    return { base: base.state(), rollup: ledger.state(), projections };
  }

  #noteOnBase(address: Address, account: Account): void {
    if (this.#claims === null) return;
    if (mayClaim(account) || this.#claims.has(address)) this.#marked.add(address);
    // Where the rollup has no account of its own, base's shows.
    this.#noteAta(address);
  }

  #noteAta(address: Address): void {
    const projection = this.#parts.projections.ofAta(address);
    if (projection !== undefined) this.#mark(projection.eata);
  }

  #mark(eata: Address): void {
    if (this.#claims !== null) this.#marked.add(eata);
  }

  #forgetAll(): void {
    this.#claims = null;
    this.#mints.clear();
    this.#marked.clear();
  }

  #update(): ReadonlyMap<Address, Claim> {
    const ledgers = this.#ledgers();
    if (this.#claims === null) return this.#readAll(ledgers);
    for (const eata of this.#marked) {
      const account = ledgers.base.get(eata);
      this.#put(this.#claims, eata, account === undefined ? null : claimOf(eata, account, ledgers));
      // Not before: one that could not be read because reading failed is read again.
      this.#marked.delete(eata);
    }
    return this.#claims;
  }

  #readAll(ledgers: Ledgers): ReadonlyMap<Address, Claim> {
    const claims = new Map<Address, Claim>();
    this.#forgetAll();
    for (const [eata, claim] of allClaims(ledgers)) this.#put(claims, eata, claim);
    this.#claims = claims;
    return claims;
  }

  #put(claims: Map<Address, Claim>, eata: Address, claim: Claim | null): void {
    const before = claims.get(eata);
    if (before !== undefined) this.#mints.get(before.mint)?.remove(eata, before);
    if (claim === null) {
      claims.delete(eata);
      return;
    }
    claims.set(eata, claim);
    addClaim(this.#mints, eata, claim);
  }
}

function isSame(a: Claim | undefined, b: Claim | undefined): boolean {
  return a?.mint === b?.mint && a?.onBase === b?.onBase && a?.gained === b?.gained;
}
