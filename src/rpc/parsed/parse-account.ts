import type { JsonOutput, JsonOutputObject } from '../../json/write-json.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  VOTE_PROGRAM,
} from '../../programs/addresses.ts';
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
import { decodeMint, decodeTokenAccount, type Mint, type TokenAccount } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { ByteReader, tryParse, Unparsable } from '../../solana/byte-reader.ts';
import { findTokenUnit, showTokenAmount } from '../accounts/token-amount.ts';
import { parseSysvarState } from './sysvar-state.ts';
import { showExtensions } from './token-extensions.ts';
import { parseVoteState } from './vote-state.ts';

/** The current version of `solana-nonce`. The legacy version 0 has the same layout. */
const VERSION_MAX = 1;

const INITIALIZED = 1;

/**
 * Shows a durable nonce like Agave (`parse_nonce`): version u32, state u32, authority, blockhash, fee u64. An
 * allocated account of zeros is not an uninitialized nonce, because it may become any kind of account.
 *
 * @throws {Unparsable}
 */
function parseNonceState({ data }: AccountBytes): JsonOutput {
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

/** Number of bytes before the addresses (`LOOKUP_TABLE_META_SIZE`). */
const META_BYTES = 56;

/** Variants of `ProgramState` in `solana-address-lookup-table-interface`. */
const UNINITIALIZED = 0;
const LOOKUP_TABLE = 1;

/**
 * Shows an account of the Address Lookup Table program like Agave (`parse_address_lookup_table`):
 * `LookupTableMeta` in bincode, padding, addresses.
 *
 * @throws {Unparsable}
 */
function parseLookupTableState({ data }: AccountBytes): JsonOutput {
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
 * Shows an account of the upgradeable loader like Agave (`parse_bpf_upgradeable_loader`).
 *
 * @throws {Unparsable}
 */
function parseUpgradeableLoaderState({ data }: AccountBytes): JsonOutput {
  const state = decodeLoaderState(data);
  if (state.type === 'uninitialized') return state;
  if (state.type === 'program') return { info: { programData: state.programData }, type: state.type };
  const { type, authority, bytes } = state;
  const shown = { authority, data: [new ByteReader(bytes).base64(), 'base64'] };
  return { info: state.type === 'buffer' ? shown : { ...shown, slot: state.slot }, type };
}

/**
 * Shows a permission: the wallets that may read an account on the rollup. Null members mean everyone.
 *
 * @throws {Unparsable}
 */
function parsePermissionState({ address, data }: AccountBytes): JsonOutput {
  const permission = decodePermission(data);
  if (permission === null || derivePermission(permission.account).address !== address) {
    throw new Unparsable('no permission');
  }
  const { account, bump, members } = permission;
  return { info: { account, bump, members: members?.map(showMember) ?? null }, type: 'permission' };
}

function showMember({ address, flags }: Member): JsonOutput {
  const named = Object.entries(MEMBER_FLAG).filter(([, flag]) => (flags & flag) !== 0);
  return { address, flags: named.map(([name]) => name) };
}

/**
 * Shows an ephemeral token account (eATA) or the global vault of a mint, in either layout of the ephemeral
 * SPL token program. The accounts have no discriminators. They are recognized by the address derived from
 * their data.
 *
 * @throws {Unparsable} also for other accounts of the program.
 */
function parseEphemeralTokenState({ address, data, lookUp }: AccountBytes): JsonOutput {
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
 * Shows the delegation program's records about a delegated account. The program also owns the delegated
 * accounts, but their data belongs to another program and is not parsed.
 *
 * @throws {Unparsable}
 */
function parseDelegationState({ data }: AccountBytes): JsonOutput {
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

/** Size of the unused former warm-up rate of a delegation. */
const RESERVED_BYTES = 8;

/**
 * Shows a stake account like Agave (`parse_stake`): `StakeStateV2` of `solana-stake-interface` in bincode.
 * Fields are read in declaration order.
 *
 * @throws {Unparsable}
 */
function parseStakeState({ data }: AccountBytes): JsonOutput {
  const reader = new ByteReader(data);
  switch (reader.u32()) {
    case 0:
      return { type: 'uninitialized' };
    case 1:
      return { info: { meta: readMeta(reader), stake: null }, type: 'initialized' };
    case 2:
      return { info: { meta: readMeta(reader), stake: readStake(reader) }, type: 'delegated' };
    case 3:
      return { type: 'rewardsPool' };
    default:
      throw new Unparsable('unknown state');
  }
}

function readMeta(reader: ByteReader): JsonOutput {
  const rentExemptReserve = reader.u64().toString();
  const authorized = { staker: reader.address(), withdrawer: reader.address() };
  const unixTimestamp = reader.i64();
  const epoch = reader.u64();
  return {
    authorized,
    lockup: { custodian: reader.address(), epoch, unixTimestamp },
    rentExemptReserve,
  };
}

function readStake(reader: ByteReader): JsonOutput {
  const voter = reader.address();
  const stake = reader.u64().toString();
  const activationEpoch = reader.u64().toString();
  const deactivationEpoch = reader.u64().toString();
  reader.take(RESERVED_BYTES);
  const creditsObserved = reader.u64();
  // The flags are part of the state but are not shown.
  reader.u8();
  return { creditsObserved, delegation: { activationEpoch, deactivationEpoch, stake, voter } };
}

/** SPL Token `Multisig`: m, n, is_initialized, then eleven addresses, zero if unused. */
const MULTISIG_BYTES = 355;
const SIGNERS_AT = 3;
const SIGNERS_MAX = 11;

interface TokenMultisig {
  readonly requiredSigners: number;
  readonly validSigners: number;
  readonly signers: readonly Address[];
}

/** Decodes an initialized multisig of the token programs; null for other bytes. */
function decodeTokenMultisig(data: Uint8Array): TokenMultisig | null {
  if (data.length !== MULTISIG_BYTES || data[2] !== 1) return null;
  const signers: Address[] = [];
  for (let index = 0; index < SIGNERS_MAX; index++) {
    const at = SIGNERS_AT + index * 32;
    const bytes = data.subarray(at, at + 32);
    if (bytes.some((byte) => byte !== 0)) signers.push(addressOf(bytes));
  }
  return { requiredSigners: data[0] as number, validSigners: data[1] as number, signers };
}

/**
 * Shows an account of SPL Token or Token-2022 like Agave (`parse_token`).
 *
 * @throws {Unparsable} if the data is not an account, a mint or a multisig, or if the mint of an account is
 *   missing.
 */
export function parseTokenState(bytes: AccountBytes): JsonOutput {
  const { data } = bytes;
  const account = decodeTokenAccount(data);
  if (account !== null) return showTokenAccount(account, bytes);
  const mint = decodeMint(data);
  if (mint !== null) return showMint(mint, data);
  const multisig = decodeTokenMultisig(data);
  if (multisig === null) throw new Unparsable('no token state');
  return {
    info: {
      isInitialized: true,
      numRequiredSigners: multisig.requiredSigners,
      numValidSigners: multisig.validSigners,
      signers: multisig.signers,
    },
    type: 'multisig',
  };
}

function showTokenAccount(account: TokenAccount, { data, lookUp }: AccountBytes): JsonOutput {
  const unit = findTokenUnit(account.mint, lookUp);
  if (unit === undefined) throw new Unparsable('no mint');
  const extensions = showExtensions(data);
  const hasDelegate = account.delegate !== null;
  const { rentExemptReserve } = account;
  return {
    info: {
      closeAuthority: account.closeAuthority ?? undefined,
      delegate: account.delegate ?? undefined,
      delegatedAmount: hasDelegate ? showTokenAmount(account.delegatedAmount, unit) : undefined,
      extensions: extensions.length > 0 ? extensions : undefined,
      isNative: rentExemptReserve !== null,
      mint: account.mint,
      owner: account.owner,
      rentExemptReserve: rentExemptReserve === null ? undefined : showTokenAmount(rentExemptReserve, unit),
      state: account.state,
      tokenAmount: showTokenAmount(account.amount, unit),
    },
    type: 'account',
  };
}

function showMint(mint: Mint, data: Uint8Array): JsonOutput {
  const extensions = showExtensions(data);
  return {
    info: {
      decimals: mint.decimals,
      extensions: extensions.length > 0 ? extensions : undefined,
      freezeAuthority: mint.freezeAuthority,
      isInitialized: true,
      mintAuthority: mint.mintAuthority,
      supply: mint.supply.toString(),
    },
    type: 'mint',
  };
}

/** An account to parse. */
export interface AccountBytes {
  readonly address: Address;
  readonly data: Uint8Array;
  /** Reads other accounts that the parsed form needs. */
  readonly lookUp: (address: Address) => Account | null;
}

interface AccountParser {
  /** Agave's name of the program. */
  readonly program: string;
  /** @throws {Unparsable} */
  parse(account: AccountBytes): JsonOutput;
}

/** Parsers by owner. Agave does not parse accounts of the last three owners, named in Agave's style. */
const PARSERS: ReadonlyMap<Address, AccountParser> = new Map([
  [TOKEN_PROGRAM, { program: 'spl-token', parse: parseTokenState }],
  [TOKEN_2022_PROGRAM, { program: 'spl-token-2022', parse: parseTokenState }],
  [SYSTEM_PROGRAM, { program: 'nonce', parse: parseNonceState }],
  [ADDRESS_LOOKUP_TABLE_PROGRAM, { program: 'address-lookup-table', parse: parseLookupTableState }],
  [BPF_LOADER_UPGRADEABLE, { program: 'bpf-upgradeable-loader', parse: parseUpgradeableLoaderState }],
  [SYSVAR_OWNER, { program: 'sysvar', parse: parseSysvarState }],
  [STAKE_PROGRAM, { program: 'stake', parse: parseStakeState }],
  [VOTE_PROGRAM, { program: 'vote', parse: parseVoteState }],
  [DELEGATION_PROGRAM, { program: 'magicblock-delegation', parse: parseDelegationState }],
  [EPHEMERAL_TOKEN_PROGRAM, { program: 'magicblock-ephemeral-spl-token', parse: parseEphemeralTokenState }],
  [PERMISSION_PROGRAM, { program: 'magicblock-permission', parse: parsePermissionState }],
]);

/** Shows an account's `jsonParsed` data (Agave `ParsedAccount`); undefined if it cannot be parsed. */
export function showParsedAccount(
  address: Address,
  { owner, data }: Account,
  lookUp: AccountBytes['lookUp'],
): JsonOutputObject | undefined {
  const parser = PARSERS.get(owner);
  const parsed = parser && tryParse(() => parser.parse({ address, data, lookUp }));
  return parsed === undefined ? undefined : { parsed, program: parser?.program, space: data.length };
}
