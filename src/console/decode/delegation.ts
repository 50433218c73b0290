import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import { DELEGATION_RECORD_BYTES, decodeDelegationRecord } from '../../programs/delegation/record.ts';
import {
  decodeCommitRecord,
  decodeDelegationMetadata,
  decodeUndelegationRequest,
} from '../../programs/delegation/state.ts';
import type { DecodedAccount } from '../answers.ts';
import { AccountForm } from './account-form.ts';

/** Offsets of what follows the fixed part of delegation metadata (`decodeDelegationMetadata`). */
const SEEDS_AT = 17;
const SEED_LENGTH_BYTES = 4;

/** Decodes an account of the delegation program itself. */
export function decodeDelegation(data: Uint8Array): DecodedAccount | null {
  return decodeRecord(data) ?? decodeMetadata(data) ?? decodeCommit(data) ?? decodeRequest(data);
}

function decodeRecord(data: Uint8Array): DecodedAccount | null {
  const account = { lamports: 1n, owner: DELEGATION_PROGRAM, data, executable: false, rentEpoch: 0n };
  if (decodeDelegationRecord(account) === null) return null;
  const form = new AccountForm(data)
    .u64('discriminator', 'Kind', 0, 'count')
    .address('authority', 'Delegated to', 8)
    .address('owner', 'Program of the account', 40)
    .u64('delegationSlot', 'Delegated in slot', 72, 'slot')
    .u64('lamports', 'Lamports of the account then', 80)
    .u64('commitFrequencyMs', 'Commit frequency', 88, 'count');
  const actionBytes = data.length - DELEGATION_RECORD_BYTES;
  if (actionBytes > 0) form.bytes('actions', 'Actions after it', DELEGATION_RECORD_BYTES, actionBytes);
  return form.as('delegation-record');
}

function decodeMetadata(data: Uint8Array): DecodedAccount | null {
  const metadata = decodeDelegationMetadata(data);
  if (metadata === null) return null;
  const form = new AccountForm(data)
    .u64('discriminator', 'Kind', 0, 'count')
    .u64('commitNonce', 'Commits', 8, 'count')
    .text('undelegationRequester', 'Asked back by', metadata.undelegationRequester, 16, 1)
    .u32('seedCount', 'Seeds', SEEDS_AT);
  let at = SEEDS_AT + SEED_LENGTH_BYTES;
  for (const [index, seed] of metadata.seeds.entries()) {
    form.bytes(`seed${index + 1}`, `Seed ${index + 1}`, at + SEED_LENGTH_BYTES, seed.length);
    at += SEED_LENGTH_BYTES + seed.length;
  }
  return form.address('rentPayer', 'Who gets the rent back', at).as('delegation-metadata');
}

function decodeCommit(data: Uint8Array): DecodedAccount | null {
  if (decodeCommitRecord(data) === null) return null;
  return new AccountForm(data)
    .u64('discriminator', 'Kind', 0, 'count')
    .address('validator', 'Validator', 8)
    .address('account', 'Account', 40)
    .u64('nonce', 'Commit', 72, 'count')
    .u64('lamports', 'Lamports', 80)
    .as('commit-record');
}

function decodeRequest(data: Uint8Array): DecodedAccount | null {
  if (decodeUndelegationRequest(data) === null) return null;
  return new AccountForm(data)
    .u64('discriminator', 'Kind', 0, 'count')
    .address('account', 'Account', 8)
    .u64('expiresAtSlot', 'Can be taken from slot', 40, 'slot')
    .as('undelegation-request');
}
