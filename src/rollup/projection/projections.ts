import { deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import type { DelegatedAccount } from './delegated-account.ts';
import type { Projection } from './projection.ts';

/** All projections there are, found by any of their accounts, and the other delegated accounts. */
export class Projections {
  readonly #byAta = new Map<Address, Projection>();
  readonly #byEata = new Map<Address, Projection>();
  readonly #byRecord = new Map<Address, Projection>();
  readonly #byMint = new Map<Address, Set<Projection>>();
  /** The vaults that were asked for, by their mints. */
  readonly #vaults = new Map<Address, Address>();
  readonly #listeners = new Set<(projection: Projection) => void>();
  readonly #accounts = new Map<Address, DelegatedAccount>();
  readonly #accountsByRecord = new Map<Address, DelegatedAccount>();

  /** Has `listener` told of each projection that comes or goes, at once. Returns what ends it. */
  listen(listener: (projection: Projection) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  add(projection: Projection): void {
    const { ata, eata, record, mint } = projection;
    this.#byAta.set(ata, projection);
    this.#byEata.set(eata, projection);
    this.#byRecord.set(record, projection);
    const ofMint = this.#byMint.get(mint);
    if (ofMint === undefined) this.#byMint.set(mint, new Set([projection]));
    else ofMint.add(projection);
    this.#tell(projection);
  }

  remove(projection: Projection): void {
    const { ata, eata, record, mint } = projection;
    this.#byAta.delete(ata);
    this.#byEata.delete(eata);
    this.#byRecord.delete(record);
    this.#tell(projection);
    const ofMint = this.#byMint.get(mint);
    if (ofMint?.delete(projection) !== true || ofMint.size > 0) return;
    this.#byMint.delete(mint);
    this.#vaults.delete(mint);
  }

  /** The projection whose ATA, eATA or delegation record this is. */
  at(address: Address): Projection | undefined {
    return this.#byAta.get(address) ?? this.#byEata.get(address) ?? this.#byRecord.get(address);
  }

  ofAta(address: Address): Projection | undefined {
    return this.#byAta.get(address);
  }

  ofEata(address: Address): Projection | undefined {
    return this.#byEata.get(address);
  }

  /**
   * Whether a projection is that of its mint's vault. Every payment on the rollup asks, so that the vault is
   * derived once for each mint.
   */
  isOfVault({ owner, mint }: Projection): boolean {
    let vault = this.#vaults.get(mint);
    if (vault === undefined) this.#vaults.set(mint, (vault = deriveVault(mint).address));
    return owner === vault;
  }

  ofMint(mint: Address): Iterable<Projection> {
    return this.#byMint.get(mint) ?? [];
  }

  all(): Iterable<Projection> {
    return this.#byEata.values();
  }

  addAccount(account: DelegatedAccount): void {
    this.#accounts.set(account.address, account);
    this.#accountsByRecord.set(account.record, account);
  }

  removeAccount(account: DelegatedAccount): void {
    this.#accounts.delete(account.address);
    this.#accountsByRecord.delete(account.record);
  }

  /** The delegated account, other than an eATA, at an address. */
  account(address: Address): DelegatedAccount | undefined {
    return this.#accounts.get(address);
  }

  /** The delegated account, other than an eATA, that this is or whose delegation record it is. */
  accountAt(address: Address): DelegatedAccount | undefined {
    return this.#accounts.get(address) ?? this.#accountsByRecord.get(address);
  }

  accounts(): Iterable<DelegatedAccount> {
    return this.#accounts.values();
  }

  /** Whether the rollup has an account of its own at an address that covers what is on base. */
  covers(address: Address): boolean {
    return this.at(address) !== undefined || this.accountAt(address) !== undefined;
  }

  #tell(projection: Projection): void {
    for (const listener of this.#listeners) listener(projection);
  }
}
