import { GONE } from '../../ledger/run/account-states.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import { isEataSize } from '../../programs/ephemeral-token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Entry } from '../books/item.ts';
import {
  type DelegatedAccount,
  mayBeDelegatedAccount,
  projectAccount,
  readDelegatedAccount,
} from './delegated-account.ts';
import { type Lookup, readDelegatedEata } from './delegated-eata.ts';
import { projectAta, projectEata, type Projection } from './projection.ts';
import type { Projections } from './projections.ts';

/** What base has delegated to the rollup: an eATA, or another account of the ephemeral token program. */
export type Subject = Projection | DelegatedAccount;

/** A delegation as base has it. */
export interface Delegation {
  readonly subject: Subject;
  /** The delegation record. */
  readonly record: Account;
  /** The accounts that the rollup has of it. */
  readonly entries: readonly Entry[];
}

/** Whether an account of the delegation program may be one that is delegated, by its bytes. */
export function mayBeDelegated(data: Uint8Array): boolean {
  return isEataSize(data) || mayBeDelegatedAccount(data);
}

/** What is delegated to `validator` at an address; null when nothing is, or nothing that the rollup knows. */
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

/** The address on base of what is delegated. */
export function addressOfSubject(subject: Subject): Address {
  return 'eata' in subject ? subject.eata : subject.address;
}

/** The changes that end a delegation on the rollup. */
export function endEntries(subject: Subject): Entry[] {
  const addresses =
    'eata' in subject ? [subject.ata, subject.eata, subject.record] : [subject.address, subject.record];
  return addresses.map((address) => [address, GONE] as const);
}

/** Enters what is delegated into the projections. */
export function enter(projections: Projections, subject: Subject): void {
  if ('eata' in subject) projections.add(subject);
  else projections.addAccount(subject);
}

/** Takes out of the projections what is delegated no more. */
export function leave(projections: Projections, subject: Subject): void {
  if ('eata' in subject) projections.remove(subject);
  else projections.removeAccount(subject);
}

/** Delegation record: discriminator u64, authority 32, owner program 32, delegation slot u64. */
const IDENTITY_FROM = 8;
const IDENTITY_TO = 80;

/**
 * Whether the delegation that is known by its `record` goes on. The record names validator, owner program and
 * slot; what a settlement changes in it does not count.
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
