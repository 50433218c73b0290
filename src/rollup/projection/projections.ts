import { GONE } from '../../ledger/run/account-states.ts';
import type { AccountView } from '../../ledger/state/accounts.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { delegatedValidator } from '../../programs/delegation/state.ts';
import { STEALTH_POOL_BYTES } from '../../programs/ephemeral-token/layout-b/stealth-pool.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata, type Eata, isEataSize } from '../../programs/ephemeral-token/state.ts';
import { isTokenProgram, TOKEN_ACCOUNT_BYTES } from '../../programs/token/state.ts';
import { type Account, RENT_EXEMPT_EPOCH, rentExemptMinimum } from '../../solana/account.ts';
import { type Address, writeAddress } from '../../solana/address.ts';
import type { Entry } from '../books/item.ts';

/** An eATA delegated to the rollup, and the ATA that holds its tokens there. */
export interface Projection {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly ata: Address;
  readonly eata: Address;
  /** The delegation record of the eATA. */
  readonly record: Address;
}

/**
 * SPL Token `Account`: mint 32, owner 32, amount u64, ..., state u8, is_native as Option<u64> with a u32 tag.
 */
const OWNER_AT = 32;
const AMOUNT_AT = 64;
const STATE_AT = 108;
const NATIVE_AT = 109;
const INITIALIZED = 1;

/**
 * Token-2022 `AccountType::Account`, and the only extension its ATAs always have, `ImmutableOwner` (u16 7,
 * u16 length 0).
 */
const ATA_2022_TAIL = [2, 7, 0, 0, 0];

/** Derives the addresses of an eATA whose mint belongs to `tokenProgram`. */
export function deriveProjection(eata: Address, { owner, mint }: Eata, tokenProgram: Address): Projection {
  return {
    owner,
    mint,
    tokenProgram,
    ata: deriveAta(owner, mint, tokenProgram).address,
    eata,
    record: deriveDelegationRecord(eata).address,
  };
}

/**
 * The initial ATA on the rollup: initialised, with `amount` base units and nothing else, whatever the ATA on
 * base contains. An ATA of wrapped SOL also has the lamports of its tokens.
 */
function projectAta({ owner, mint, tokenProgram }: Projection, amount: bigint): Account {
  const tail = tokenProgram === TOKEN_2022_PROGRAM ? ATA_2022_TAIL : [];
  const data = new Uint8Array(TOKEN_ACCOUNT_BYTES + tail.length);
  const view = new DataView(data.buffer);
  writeAddress(data, 0, mint);
  writeAddress(data, OWNER_AT, owner);
  view.setBigUint64(AMOUNT_AT, amount, true);
  data[STATE_AT] = INITIALIZED;
  data.set(tail, TOKEN_ACCOUNT_BYTES);
  const rent = rentExemptMinimum(data.length);
  const isNative = mint === NATIVE_MINT;
  if (isNative) {
    view.setUint32(NATIVE_AT, 1, true);
    view.setBigUint64(NATIVE_AT + 4, rent, true);
  }
  return {
    lamports: isNative ? rent + amount : rent,
    owner: tokenProgram,
    data,
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

/**
 * An eATA as the rollup shows it: owned by its own program, as if it were not delegated, with the amount of
 * its ATA.
 */
export function projectEata(eata: Account, amount: bigint): Account {
  return { ...eata, owner: EPHEMERAL_TOKEN_PROGRAM, data: eataDataWith(eata.data, amount) };
}

/** Returns the data of an eATA with another amount. */
export function eataDataWith(data: Uint8Array, amount: bigint): Uint8Array {
  const changed = new Uint8Array(data);
  new DataView(changed.buffer).setBigUint64(AMOUNT_AT, amount, true);
  return changed;
}

/** The amount of an eATA in base units; null if the account is no eATA. */
export function eataAmount(account: Account | null | undefined): bigint | null {
  return account === null || account === undefined ? null : (decodeEata(account.data)?.amount ?? null);
}

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

/** Returns the account at an address; undefined if there is none. */
export type Lookup = (address: Address) => Account | undefined;

/** An eATA that is delegated on base. */
interface DelegatedEata {
  readonly projection: Projection;
  readonly eata: Eata;
  readonly account: Account;
  readonly record: Account;
}

/**
 * Returns the eATA at an address if it is delegated to `validator` and its mint belongs to a token program;
 * null otherwise.
 */
function readDelegatedEata(address: Address, lookup: Lookup, validator: Address): DelegatedEata | null {
  const account = lookup(address);
  if (account?.owner !== DELEGATION_PROGRAM) return null;
  const eata = decodeEata(account.data);
  if (eata === null || deriveEata(eata.owner, eata.mint).address !== address) return null;
  const tokenProgram = lookup(eata.mint)?.owner;
  if (!isTokenProgram(tokenProgram)) return null;
  const projection = deriveProjection(address, eata, tokenProgram);
  const record = lookup(projection.record);
  if (record === undefined) return null;
  if (delegatedValidator(record, EPHEMERAL_TOKEN_PROGRAM) !== validator) return null;
  return { projection, eata, account, record };
}

/**
 * A delegated account of the ephemeral token program other than an eATA. On the rollup it has the same
 * address and data as on base.
 */
interface DelegatedAccount {
  readonly address: Address;
  /** Its delegation record. */
  readonly record: Address;
}

/** A delegated account with its accounts on base. */
interface ReadAccount {
  readonly delegated: DelegatedAccount;
  readonly account: Account;
  readonly record: Account;
}

/** Whether data may be that of a transfer queue, a stealth pool or a carrier of lamports. */
function mayBeDelegatedAccount(data: Uint8Array): boolean {
  return data.length === 0 || data.length === STEALTH_POOL_BYTES || decodeTransferQueue(data) !== null;
}

/** Returns the account at an address if it is delegated to `validator`; null otherwise. */
function readDelegatedAccount(address: Address, lookup: Lookup, validator: Address): ReadAccount | null {
  const account = lookup(address);
  if (account?.owner !== DELEGATION_PROGRAM || !mayBeDelegatedAccount(account.data)) return null;
  const delegated = { address, record: deriveDelegationRecord(address).address };
  const record = lookup(delegated.record);
  if (record === undefined || delegatedValidator(record, EPHEMERAL_TOKEN_PROGRAM) !== validator) return null;
  return { delegated, account, record };
}

/** The account as the rollup shows it: owned by its own program, as if it were not delegated. */
function projectAccount(account: Account): Account {
  return { ...account, owner: EPHEMERAL_TOKEN_PROGRAM };
}

/** A delegated eATA, or another delegated account of the ephemeral token program. */
export type Subject = Projection | DelegatedAccount;

/** A delegation as stored on base. */
export interface Delegation {
  readonly subject: Subject;
  /** The delegation record. */
  readonly record: Account;
  /** The accounts the rollup creates for it. */
  readonly entries: readonly Entry[];
}

/** Whether an account of the delegation program may be delegated, judging by its data. */
export function mayBeDelegated(data: Uint8Array): boolean {
  return isEataSize(data) || mayBeDelegatedAccount(data);
}

/** Returns the delegation of an address to `validator`; null if there is none, or none of a known kind. */
export function readDelegation(address: Address, lookup: Lookup, validator: Address): Delegation | null {
  const data = lookup(address)?.data;
  if (data === undefined) return null;
  if (!isEataSize(data)) {
    const read = readDelegatedAccount(address, lookup, validator);
    if (read === null) return null;
    const { delegated, account, record } = read;
    return {
      subject: delegated,
      record,
      entries: [
        [address, projectAccount(account)],
        [delegated.record, record],
      ],
    };
  }
  const read = readDelegatedEata(address, lookup, validator);
  if (read === null) return null;
  const { projection, eata, account, record } = read;
  return {
    subject: projection,
    record,
    entries: [
      [projection.ata, projectAta(projection, eata.amount)],
      [projection.eata, projectEata(account, eata.amount)],
      [projection.record, record],
    ],
  };
}

/** The address of the delegated account on base. */
export function addressOfSubject(subject: Subject): Address {
  return 'eata' in subject ? subject.eata : subject.address;
}

/** The entries that remove a delegated account from the rollup. */
export function endEntries(subject: Subject): Entry[] {
  const addresses =
    'eata' in subject ? [subject.ata, subject.eata, subject.record] : [subject.address, subject.record];
  return addresses.map((address) => [address, GONE] as const);
}

export function addDelegated(projections: Projections, subject: Subject): void {
  if ('eata' in subject) projections.add(subject);
  else projections.addAccount(subject);
}

export function removeDelegated(projections: Projections, subject: Subject): void {
  if ('eata' in subject) projections.remove(subject);
  else projections.removeAccount(subject);
}

/** Delegation record: discriminator u64, authority 32, owner program 32, delegation slot u64. */
const IDENTITY_FROM = 8;
const IDENTITY_TO = 80;

/**
 * Whether the delegation with the stored `record` still exists. Compares validator, owner program and slot of
 * the record. The other fields change with settlements.
 */
export function isStillDelegated(subject: Subject, known: Account, lookup: Lookup): boolean {
  const account = lookup(subject.record);
  if (account?.owner !== DELEGATION_PROGRAM) return false;
  if (lookup(addressOfSubject(subject))?.owner !== DELEGATION_PROGRAM) return false;
  return (
    account.data.length === known.data.length && Buffer.compare(identityOf(account), identityOf(known)) === 0
  );
}

const identityOf = ({ data }: Account): Uint8Array => data.subarray(IDENTITY_FROM, IDENTITY_TO);
