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

/** SPL Token `Account`: mint 32, owner 32, amount u64, ..., state u8, is_native Option<u64> (u32 tag). */
const OWNER_AT = 32;
const AMOUNT_AT = 64;
const STATE_AT = 108;
const NATIVE_AT = 109;
const INITIALIZED = 1;

/** Token-2022 `AccountType::Account`, and the extension `ImmutableOwner` (u16 7, u16 length 0). */
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
 * Returns the initial ATA on the rollup. It has `amount` base units and copies nothing from the ATA on base.
 * An ATA of wrapped SOL also has the lamports of its tokens.
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

/** Returns an eATA as the rollup shows it: not delegated, with the amount of its ATA. */
export function projectEata(eata: Account, amount: bigint): Account {
  return { ...eata, owner: EPHEMERAL_TOKEN_PROGRAM, data: eataDataWith(eata.data, amount) };
}

/** Returns the data of an eATA with a different amount. */
export function eataDataWith(data: Uint8Array, amount: bigint): Uint8Array {
  const changed = new Uint8Array(data);
  new DataView(changed.buffer).setBigUint64(AMOUNT_AT, amount, true);
  return changed;
}

/** Returns the amount of an eATA in base units; null if the account is not an eATA. */
export function eataAmount(account: Account | null | undefined): bigint | null {
  return account === null || account === undefined ? null : (decodeEata(account.data)?.amount ?? null);
}

/** Whether a projection belongs to the vault of its mint. */
export const isOfVault = ({ owner, mint }: Projection): boolean => owner === deriveVault(mint).address;

/** A delegated account other than an eATA. The rollup has it at the same address with the same data. */
interface DelegatedAccount {
  readonly address: Address;
  /** The account's delegation record. */
  readonly record: Address;
}

/** A delegated eATA, or another delegated account of the ephemeral token program. */
export type Subject = Projection | DelegatedAccount;

/** Returns the address of the delegated account on base. */
export function addressOfSubject(subject: Subject): Address {
  return 'eata' in subject ? subject.eata : subject.address;
}

function accountsOf(subject: Subject): readonly Address[] {
  return 'eata' in subject ? [subject.ata, subject.eata, subject.record] : [subject.address, subject.record];
}

/** All delegations to the rollup. */
export class Projections {
  /** Delegations by the address of the delegated account. */
  readonly #subjects = new Map<Address, Subject>();
  /** Delegations by the address of each of their accounts on the rollup. */
  readonly #byAccount = new Map<Address, Subject>();
  readonly #listeners = new Set<(projection: Projection) => void>();

  /** Calls `listener` for each projection that is added or removed. Returns a function that unsubscribes. */
  listen(listener: (projection: Projection) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  add(subject: Subject): void {
    this.#subjects.set(addressOfSubject(subject), subject);
    for (const address of accountsOf(subject)) this.#byAccount.set(address, subject);
    this.#notify(subject);
  }

  remove(subject: Subject): void {
    this.#subjects.delete(addressOfSubject(subject));
    for (const address of accountsOf(subject)) this.#byAccount.delete(address);
    this.#notify(subject);
  }

  /** Returns the projection whose ATA, eATA or delegation record is at an address. */
  at(address: Address): Projection | undefined {
    const subject = this.#byAccount.get(address);
    return subject !== undefined && 'eata' in subject ? subject : undefined;
  }

  ofAta(address: Address): Projection | undefined {
    const projection = this.at(address);
    return projection?.ata === address ? projection : undefined;
  }

  ofEata(address: Address): Projection | undefined {
    const projection = this.at(address);
    return projection?.eata === address ? projection : undefined;
  }

  /** Returns the delegated account, other than an eATA, at an address. */
  account(address: Address): DelegatedAccount | undefined {
    const subject = this.#subjects.get(address);
    return subject === undefined || 'eata' in subject ? undefined : subject;
  }

  /** Returns the delegation of the account at an address. */
  delegated(address: Address): Subject | undefined {
    return this.#subjects.get(address);
  }

  /** Returns the delegation whose rollup account is at an address. That account hides base's account. */
  covering(address: Address): Subject | undefined {
    return this.#byAccount.get(address);
  }

  all(): Iterable<Subject> {
    return this.#subjects.values();
  }

  #notify(subject: Subject): void {
    if ('eata' in subject) for (const listener of this.#listeners) listener(subject);
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
      if (record !== undefined && own.get(record) !== undefined) projections.add({ address, record });
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

/** A delegation as stored on base. */
export interface Delegation {
  readonly subject: Subject;
  /** The delegation record. */
  readonly record: Account;
  /** The accounts that the rollup creates for the delegation. */
  readonly entries: readonly Entry[];
}

/** Whether data may belong to a transfer queue, a stealth pool or a carrier of lamports. */
function mayBeDelegatedAccount(data: Uint8Array): boolean {
  return data.length === 0 || data.length === STEALTH_POOL_BYTES || decodeTransferQueue(data) !== null;
}

/** Whether an account of the delegation program may be delegated, based on its data. */
export function mayBeDelegated(data: Uint8Array): boolean {
  return isEataSize(data) || mayBeDelegatedAccount(data);
}

/** Returns the delegation of an address to `validator`; null if there is none of a known kind. */
export function readDelegation(address: Address, lookup: Lookup, validator: Address): Delegation | null {
  const account = lookup(address);
  if (account?.owner !== DELEGATION_PROGRAM || !mayBeDelegated(account.data)) return null;
  const recordAddress = deriveDelegationRecord(address).address;
  const record = lookup(recordAddress);
  if (record === undefined || delegatedValidator(record, EPHEMERAL_TOKEN_PROGRAM) !== validator) return null;
  if (!isEataSize(account.data)) {
    return {
      subject: { address, record: recordAddress },
      record,
      entries: [
        // Shows the account as if it were not delegated.
        [address, { ...account, owner: EPHEMERAL_TOKEN_PROGRAM }],
        [recordAddress, record],
      ],
    };
  }
  const eata = decodeEata(account.data);
  if (eata === null || deriveEata(eata.owner, eata.mint).address !== address) return null;
  const tokenProgram = lookup(eata.mint)?.owner;
  if (!isTokenProgram(tokenProgram)) return null;
  const projection = deriveProjection(address, eata, tokenProgram);
  return {
    subject: projection,
    record,
    entries: [
      [projection.ata, projectAta(projection, eata.amount)],
      [address, projectEata(account, eata.amount)],
      [recordAddress, record],
    ],
  };
}

/** Returns the entries that remove a delegated account from the rollup. */
export function endEntries(subject: Subject): Entry[] {
  return accountsOf(subject).map((address) => [address, GONE] as const);
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
