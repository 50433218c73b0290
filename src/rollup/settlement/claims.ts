import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import { type AccountView, readTokenAmount } from '../../ledger/state/accounts.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { isEataSize, readEata } from '../../programs/ephemeral-token/state.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Projections } from '../projection/projections.ts';
import type { BaseLedger } from '../rollup-context.ts';

/** The account states that amounts are read from, all as of the same moment. */
export interface Ledgers {
  readonly base: AccountView;
  readonly rollup: Pick<AccountView, 'get'>;
  readonly projections: Pick<Projections, 'ofEata'>;
}

/** The claim of an eATA on the vault of its mint. */
export interface Claim {
  readonly mint: Address;
  /** Claim on base, in base units. */
  readonly onBase: bigint;
  /**
   * Base units gained on the rollup since the last settlement; negative after a loss. The value is null if
   * the eATA is delegated to the rollup and its amount there cannot be read.
   */
  readonly gained: bigint | null;
}

/** The owners of eATAs on base: when undelegated and when delegated. */
const OWNERS: readonly Address[] = [EPHEMERAL_TOKEN_PROGRAM, DELEGATION_PROGRAM];

function mayClaim({ owner, data }: Account): boolean {
  return OWNERS.includes(owner) && isEataSize(data);
}

/** Returns the claim of the account at an address on base; null if it is not an eATA. */
export function claimOf(
  address: Address,
  account: Account,
  { rollup, projections }: Pick<Ledgers, 'rollup' | 'projections'>,
): Claim | null {
  if (!mayClaim(account)) return null;
  const eata = readEata(account);
  if (eata === null || eata.address !== address) return null;
  const { mint, amount } = eata;
  // Base decides whether the eATA is delegated, even if the rollup has not processed the event yet.
  const projection = account.owner === DELEGATION_PROGRAM ? projections.ofEata(address) : undefined;
  if (projection === undefined) return { mint, onBase: amount, gained: 0n };
  const ata = rollup.get(projection.ata);
  const isReadable = ata !== undefined && ata.data.length >= TOKEN_ACCOUNT_BYTES;
  return { mint, onBase: amount, gained: isReadable ? readTokenAmount(ata.data) - amount : null };
}

function* allClaims(ledgers: Ledgers): Iterable<readonly [Address, Claim]> {
  for (const program of OWNERS) {
    for (const [address, account] of ledgers.base.ownedBy(program)) {
      const claim = claimOf(address, account, ledgers);
      if (claim !== null) yield [address, claim];
    }
  }
}

/** The claims of all eATAs of one mint. */
export class MintClaims {
  /** Total claim on base, in base units. */
  onBase = 0n;
  /** Total gain on the rollup, in base units. */
  gained = 0n;
  readonly #gains = new Map<Address, bigint>();
  /** eATAs whose amount on the rollup cannot be read. */
  readonly #unreadable = new Set<Address>();

  /** Nonzero gains of eATAs on the rollup, in base units. Valid until the next change. */
  get gains(): ReadonlyMap<Address, bigint> {
    return this.#gains;
  }

  /** Whether all amounts could be read. */
  get isWhole(): boolean {
    return this.#unreadable.size === 0;
  }

  add(eata: Address, { onBase, gained }: Claim): void {
    this.onBase += onBase;
    if (gained === null) this.#unreadable.add(eata);
    else if (gained !== 0n) this.#gains.set(eata, gained);
    this.gained += gained ?? 0n;
  }

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

  remove(eata: Address, { onBase, gained }: Claim): void {
    this.onBase -= onBase;
    this.gained -= gained ?? 0n;
    this.#gains.delete(eata);
    this.#unreadable.delete(eata);
  }
}

function addClaim(mints: Map<Address, MintClaims>, eata: Address, claim: Claim): void {
  let mint = mints.get(claim.mint);
  if (mint === undefined) mints.set(claim.mint, (mint = new MintClaims()));
  mint.add(eata, claim);
}

/** Reads the claims of all eATAs and adds them up by mint. */
export function claimsByMint(ledgers: Ledgers): ReadonlyMap<Address, MintClaims> {
  const mints = new Map<Address, MintClaims>();
  for (const [eata, claim] of allClaims(ledgers)) addClaim(mints, eata, claim);
  return mints;
}

interface ClaimsParts {
  readonly base: Pick<BaseLedger, 'state' | 'observe'>;
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'observe'>;
  readonly projections: Pick<Projections, 'ofEata' | 'ofAta' | 'listen'>;
}

const NONE = new MintClaims();

/**
 * The current claims of all eATAs of every mint. An eATA is read again only if an account it depends on has
 * changed. All eATAs are read at the first use, and again after a reset of either ledger.
 *
 * Invariant: an unmarked eATA claims what was last read. Both ledgers report every account that is set,
 * including temporary accounts of a run and accounts that never become durable. The projections report every
 * addition and removal. Sums are never updated by differences. Marked eATAs are read again, so neither the
 * order of changes nor a rollback can corrupt the sums.
 */
export class Claims {
  readonly #parts: ClaimsParts;
  /** Claims by eATA; null until all have been read. */
  #claims: Map<Address, Claim> | null = null;
  readonly #mints = new Map<Address, MintClaims>();
  /** Addresses to read again. They need not be eATAs. */
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

  /** Returns the current claims of a mint. The result is valid until the next change. */
  of(mint: Address): MintClaims {
    this.#update();
    return this.#mints.get(mint) ?? NONE;
  }

  /**
   * Compares the stored claims with a new read of all eATAs. Used only in tests, because it reads everything.
   *
   * @throws {Error} naming the first mint whose claims are wrong.
   */
  assertExact(): void {
    this.#update();
    const exact = claimsByMint(this.#ledgers());
    for (const mint of new Set([...this.#mints.keys(), ...exact.keys()])) {
      if (!this.of(mint).equals(exact.get(mint) ?? NONE)) throw new Error(`the claims of ${mint} are wrong`);
    }
  }

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
    // If the rollup has no own account, base's account is visible.
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

  #update(): void {
    const ledgers = this.#ledgers();
    if (this.#claims === null) return this.#readAll(ledgers);
    for (const eata of this.#marked) {
      const account = ledgers.base.get(eata);
      this.#put(this.#claims, eata, account === undefined ? null : claimOf(eata, account, ledgers));
      // Unmark only after the read, so an eATA whose read failed is read again.
      this.#marked.delete(eata);
    }
  }

  #readAll(ledgers: Ledgers): void {
    const claims = new Map<Address, Claim>();
    this.#forgetAll();
    for (const [eata, claim] of allClaims(ledgers)) this.#put(claims, eata, claim);
    this.#claims = claims;
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
