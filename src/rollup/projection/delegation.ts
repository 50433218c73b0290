import { GONE } from '../../ledger/run/account-states.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { delegatedValidator } from '../../programs/delegation/state.ts';
import { STEALTH_POOL_BYTES } from '../../programs/ephemeral-token/layout-b/stealth-pool.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata, type Eata, isEataSize } from '../../programs/ephemeral-token/state.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Entry } from '../books/item.ts';
import { deriveProjection, projectAta, projectEata, type Projection } from './projection.ts';
import type { Projections } from './projections.ts';

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
export interface DelegatedAccount {
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
export function mayBeDelegatedAccount(data: Uint8Array): boolean {
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
