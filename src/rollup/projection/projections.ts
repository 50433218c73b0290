import type { Address } from '../../solana/address.ts';
import type { DelegatedAccount } from './delegated-account.ts';
import type { Projection } from './projection.ts';

/** All projections there are, found by any of their accounts, and the other delegated accounts. */
export class Projections {
  readonly #byAta = new Map<Address, Projection>();
  readonly #byEata = new Map<Address, Projection>();
  readonly #byRecord = new Map<Address, Projection>();
  readonly #byMint = new Map<Address, Set<Projection>>();
  readonly #accounts = new Map<Address, DelegatedAccount>();
  readonly #accountsByRecord = new Map<Address, DelegatedAccount>();

  add(projection: Projection): void {
    const { ata, eata, record, mint } = projection;
    this.#byAta.set(ata, projection);
    this.#byEata.set(eata, projection);
    this.#byRecord.set(record, projection);
    const ofMint = this.#byMint.get(mint);
    if (ofMint === undefined) this.#byMint.set(mint, new Set([projection]));
    else ofMint.add(projection);
  }

  remove(projection: Projection): void {
    const { ata, eata, record, mint } = projection;
    this.#byAta.delete(ata);
    this.#byEata.delete(eata);
    this.#byRecord.delete(record);
    const ofMint = this.#byMint.get(mint);
    if (ofMint?.delete(projection) === true && ofMint.size === 0) this.#byMint.delete(mint);
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
}
