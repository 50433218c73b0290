import type { JsonOutput } from '../../json/write-json.ts';
import {
  decodeCommitRecord,
  decodeDelegationMetadata,
  decodeRecordData,
} from '../../programs/delegation/state.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata, decodeVault } from '../../programs/ephemeral-token/state.ts';
import { decodeLoaderState } from '../../programs/loader-state.ts';
import {
  decodePermission,
  derivePermission,
  type Member,
  MEMBER_FLAG,
} from '../../programs/permission/state.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import { findTokenUnit, showTokenAmount } from '../accounts/token-amount.ts';
import type { AccountBytes } from './parse-account.ts';

/** The versions of `solana-nonce`, legacy and current, with the same layout. */
const VERSION_MAX = 1;

const INITIALIZED = 1;

/**
 * Shows a durable nonce as Agave does (`parse_nonce`): version u32, state u32, authority, blockhash, fee u64.
 * An allocated account of zeros is not shown as an uninitialised nonce, as it may become anything.
 *
 * @throws {Unparsable}
 */
export function parseNonceState({ data }: AccountBytes): JsonOutput {
  const reader = new ByteReader(data);
  if (reader.u32() > VERSION_MAX || reader.u32() !== INITIALIZED) throw new Unparsable('no nonce');
  return {
    info: {
      authority: reader.address(),
      blockhash: encodeBase58(reader.take(32)),
      feeCalculator: { lamportsPerSignature: reader.u64().toString() },
    },
    type: 'initialized',
  };
}

/** Bytes before the addresses (`LOOKUP_TABLE_META_SIZE`). */
const META_BYTES = 56;

/** Variants of `ProgramState` in `solana-address-lookup-table-interface`. */
const UNINITIALIZED = 0;
const LOOKUP_TABLE = 1;

/**
 * Shows an account of the Address Lookup Table program as Agave does (`parse_address_lookup_table`):
 * `LookupTableMeta` in bincode, padding, addresses.
 *
 * @throws {Unparsable}
 */
export function parseLookupTableState({ data }: AccountBytes): JsonOutput {
  const meta = new ByteReader(data);
  const variant = meta.u32();
  if (variant === UNINITIALIZED) return { type: 'uninitialized' };
  if (variant !== LOOKUP_TABLE) throw new Unparsable('unknown state');
  const deactivationSlot = meta.u64().toString();
  const lastExtendedSlot = meta.u64().toString();
  const lastExtendedSlotStartIndex = meta.u8();
  const authority = meta.option(() => meta.address()) ?? undefined;
  if (data.length < META_BYTES || (data.length - META_BYTES) % 32 !== 0)
    throw new Unparsable('half an address');
  const list = new ByteReader(data.subarray(META_BYTES));
  const addresses = Array.from({ length: list.remaining / 32 }, () => list.address());
  return {
    info: { addresses, authority, deactivationSlot, lastExtendedSlot, lastExtendedSlotStartIndex },
    type: 'lookupTable',
  };
}

/**
 * Shows an account of the upgradeable loader as Agave does (`parse_bpf_upgradeable_loader`).
 *
 * @throws {Unparsable}
 */
export function parseUpgradeableLoaderState({ data }: AccountBytes): JsonOutput {
  const state = decodeLoaderState(data);
  if (state.type === 'uninitialized') return state;
  if (state.type === 'program') return { info: { programData: state.programData }, type: state.type };
  const { type, authority, bytes } = state;
  const shown = { authority, data: [new ByteReader(bytes).base64(), 'base64'] };
  return { info: state.type === 'buffer' ? shown : { ...shown, slot: state.slot }, type };
}

/**
 * A permission of the permission program, i.e. who may read an account on the rollup. Null members mean
 * everyone.
 *
 * @throws {Unparsable}
 */
export function parsePermissionState({ address, data }: AccountBytes): JsonOutput {
  const permission = decodePermission(data);
  if (permission === null || derivePermission(permission.account).address !== address) {
    throw new Unparsable('no permission');
  }
  const { account, bump, members } = permission;
  return { info: { account, bump, members: members?.map(showMember) ?? null }, type: 'permission' };
}

/** A member with its rights as names. */
function showMember({ address, flags }: Member): JsonOutput {
  const named = Object.entries(MEMBER_FLAG).filter(([, flag]) => (flags & flag) !== 0);
  return { address, flags: named.map(([name]) => name) };
}

/**
 * An ephemeral token account (eATA) or the global vault of a mint, of the ephemeral SPL token program in
 * either layout. Its accounts have no discriminators, so each is recognised by the address derived from its
 * own data.
 *
 * @throws {Unparsable} also for its other accounts.
 */
export function parseEphemeralTokenState({ address, data, lookUp }: AccountBytes): JsonOutput {
  const eata = decodeEata(data);
  if (eata !== null && deriveEata(eata.owner, eata.mint).address === address) {
    const unit = findTokenUnit(eata.mint, lookUp);
    if (unit === undefined) throw new Unparsable('no mint');
    const { mint, owner } = eata;
    return {
      info: { mint, owner, tokenAmount: showTokenAmount(eata.amount, unit) },
      type: 'ephemeralAccount',
    };
  }
  const vault = decodeVault(address, data);
  if (vault === null) throw new Unparsable('no such state');
  return { info: { mint: vault.mint, tokenAccount: vault.tokenAccount ?? undefined }, type: 'globalVault' };
}

/**
 * The delegation program's own accounts about a delegated account. Delegated accounts belong to that program
 * too, but their data is another program's and is not parsed.
 *
 * @throws {Unparsable}
 */
export function parseDelegationState({ data }: AccountBytes): JsonOutput {
  const metadata = decodeDelegationMetadata(data);
  if (metadata !== null) {
    const { commitNonce, rentPayer, seeds, undelegationRequester } = metadata;
    const shownSeeds = seeds.map((seed) => [new ByteReader(seed).base64(), 'base64']);
    return {
      info: { commitNonce, rentPayer, seeds: shownSeeds, undelegationRequester },
      type: 'delegationMetadata',
    };
  }
  const commit = decodeCommitRecord(data);
  if (commit !== null) {
    const { account, lamports, nonce, validator } = commit;
    return { info: { account, lamports, nonce, validator }, type: 'commitRecord' };
  }
  const record = decodeRecordData(data);
  if (record === null) throw new Unparsable('no delegation state');
  const { authority, commitFrequencyMs, delegationSlot, lamports, owner } = record;
  return {
    info: { authority, commitFrequencyMs, delegationSlot, lamports, owner },
    type: 'delegationRecord',
  };
}
