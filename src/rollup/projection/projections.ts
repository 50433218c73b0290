import type { AccountView } from '../../ledger/state/accounts.ts';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import type { Address } from '../../solana/address.ts';
import { type DelegatedAccount, mayBeDelegatedAccount } from './delegation.ts';
import { deriveProjection, type Projection } from './projection.ts';

/** All projections, found by any of their accounts, and the other delegated accounts. */
export class Projections {
  readonly #byAta = new Map<Address, Projection>();
  readonly #byEata = new Map<Address, Projection>();
  readonly #byRecord = new Map<Address, Projection>();
  readonly #byMint = new Map<Address, Set<Projection>>();
  /** The vaults derived so far, by mint. */
  readonly #vaults = new Map<Address, Address>();
  readonly #listeners = new Set<(projection: Projection) => void>();
  readonly #accounts = new Map<Address, DelegatedAccount>();
  readonly #accountsByRecord = new Map<Address, DelegatedAccount>();

  /** Calls `listener` for each projection that is added or removed. Returns a function that unsubscribes. */
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

  /** The projection whose ATA, eATA or delegation record is at an address. */
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
   * Whether a projection belongs to the vault of its mint. Every payment on the rollup asks, so the vault is
   * derived only once per mint.
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

  /** The delegated account, other than an eATA, whose account or delegation record is at an address. */
  accountAt(address: Address): DelegatedAccount | undefined {
    return this.#accounts.get(address) ?? this.#accountsByRecord.get(address);
  }

  accounts(): Iterable<DelegatedAccount> {
    return this.#accounts.values();
  }

  /** Whether the rollup's own account hides the one of base at an address. */
  covers(address: Address): boolean {
    return this.at(address) !== undefined || this.accountAt(address) !== undefined;
  }

  #tell(projection: Projection): void {
    for (const listener of this.#listeners) listener(projection);
  }
}

/**
 * Restores the projections from the rollup's own accounts: eATAs with their ATAs, and the other delegated
 * accounts with the copies of their delegation records.
 */
export function recallProjections(own: AccountView, projections: Projections): void {
  for (const [address, { data }] of own.ownedBy(EPHEMERAL_TOKEN_PROGRAM)) {
    const eata = decodeEata(data);
    if (eata === null) {
      const record = mayBeDelegatedAccount(data) ? deriveDelegationRecord(address).address : undefined;
      if (record !== undefined && own.get(record) !== undefined) projections.addAccount({ address, record });
      continue;
    }
    const tokenProgram = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].find(
      (program) => own.get(deriveAta(eata.owner, eata.mint, program).address) !== undefined,
    );
    if (tokenProgram !== undefined) projections.add(deriveProjection(address, eata, tokenProgram));
  }
}
