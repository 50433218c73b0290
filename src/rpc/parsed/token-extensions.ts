import type { JsonOutput, JsonOutputObject } from '../../json/write-json.ts';
import { listExtensions, type TokenExtension } from '../../programs/token/mint-extensions.ts';
import { ByteReader, tryParse, Unparsable } from '../../solana/byte-reader.ts';
import { sortMembers } from './instruction-call.ts';

/** Formats a double like Rust's `{}`: the shortest digits that round-trip, no exponent, no `.0`. */
export function plainFloatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign, first = '', rest = '', exponent] = match;
  const digits = first + rest;
  const power = Number(exponent);
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  // Doubles with a positive exponent are whole numbers of at least 10^21.
  return `${sign}${digits.padEnd(power + 1, '0')}`;
}

/** The form of an extension: its name, and its value if it has one. */
interface ExtensionForm {
  readonly extension: string;
  state?(value: ByteReader): JsonOutputObject;
}

/**
 * Shows the extensions of a Token-2022 mint or account like Agave (`UiExtension`), in storage order. An
 * extension with a malformed value is unparseable. If the list is malformed, returns none.
 */
export function showExtensions(data: Uint8Array): readonly JsonOutput[] {
  return tryParse(() => readExtensions(data))?.map(showExtension) ?? [];
}

function showExtension({ type, value }: TokenExtension): JsonOutput {
  return (
    tryParse(() => parseExtension(EXTENSION_STATES[type], value)) ?? { extension: 'unparseableExtension' }
  );
}

function parseExtension(form: ExtensionForm | undefined, value: Uint8Array): JsonOutput {
  if (form === undefined) throw new Unparsable('unknown extension');
  if (form.state === undefined) return { extension: form.extension };
  const reader = new ByteReader(value);
  const state = form.state(reader);
  if (reader.remaining > 0) throw new Unparsable('bytes after the value');
  return { extension: form.extension, state: sortMembers(state) };
}

/** Reads an address; null if it is 32 zeros (`OptionalNonZeroPubkey`). */
export function addressOrNull(value: ByteReader): string | null {
  const address = value.address();
  return address === ZERO_ADDRESS ? null : address;
}

const ZERO_ADDRESS = '1'.repeat(32);

const flag = (value: ByteReader): boolean => value.u8() !== 0;

const transferFee = (value: ByteReader): JsonOutputObject => ({
  epoch: value.u64(),
  maximumFee: value.u64(),
  transferFeeBasisPoints: value.u16(),
});

/** Reads a Borsh string: u32 length and UTF-8. */
export const borshText = (value: ByteReader): string => value.text(value.u32());

function borshTextPairs(value: ByteReader): JsonOutput {
  const count = value.u32();
  if (count > value.remaining) throw new Unparsable('too few bytes');
  return Array.from({ length: count }, () => [borshText(value), borshText(value)]);
}

/** Readers of ElGamal public keys and ciphertexts, and of AES ciphertexts (`solana-zk-sdk`), in base64. */
const elGamalKey = (value: ByteReader): string => value.base64(32);
const elGamalCiphertext = (value: ByteReader): string => value.base64(64);
const aesCiphertext = (value: ByteReader): string => value.base64(36);

/** Reads an ElGamal key; null if it is 32 zeros. */
function elGamalKeyOrNull(value: ByteReader): string | null {
  const key = elGamalKey(value);
  return key === NO_KEY ? null : key;
}

const NO_KEY = Buffer.alloc(32).toString('base64');

/** Forms by type (`ExtensionType` of `spl-token-2022-interface`), read in declaration order. */
const EXTENSION_STATES: Readonly<Record<number, ExtensionForm>> = {
  1: {
    extension: 'transferFeeConfig',
    state: (value) => ({
      transferFeeConfigAuthority: addressOrNull(value),
      withdrawWithheldAuthority: addressOrNull(value),
      withheldAmount: value.u64(),
      olderTransferFee: transferFee(value),
      newerTransferFee: transferFee(value),
    }),
  },
  2: { extension: 'transferFeeAmount', state: (value) => ({ withheldAmount: value.u64() }) },
  3: { extension: 'mintCloseAuthority', state: (value) => ({ closeAuthority: addressOrNull(value) }) },
  4: {
    extension: 'confidentialTransferMint',
    state: (value) => ({
      authority: addressOrNull(value),
      autoApproveNewAccounts: flag(value),
      auditorElgamalPubkey: elGamalKeyOrNull(value),
    }),
  },
  5: {
    extension: 'confidentialTransferAccount',
    state: (value) => ({
      approved: flag(value),
      elgamalPubkey: elGamalKey(value),
      pendingBalanceLo: elGamalCiphertext(value),
      pendingBalanceHi: elGamalCiphertext(value),
      availableBalance: elGamalCiphertext(value),
      decryptableAvailableBalance: aesCiphertext(value),
      allowConfidentialCredits: flag(value),
      allowNonConfidentialCredits: flag(value),
      pendingBalanceCreditCounter: value.u64(),
      maximumPendingBalanceCreditCounter: value.u64(),
      expectedPendingBalanceCreditCounter: value.u64(),
      actualPendingBalanceCreditCounter: value.u64(),
    }),
  },
  6: {
    extension: 'defaultAccountState',
    // An invalid state counts as uninitialized, unlike in an instruction.
    state: (value) => ({ accountState: accountStateName(value.u8()) ?? 'uninitialized' }),
  },
  7: { extension: 'immutableOwner' },
  8: { extension: 'memoTransfer', state: (value) => ({ requireIncomingTransferMemos: flag(value) }) },
  9: { extension: 'nonTransferable' },
  10: {
    extension: 'interestBearingConfig',
    state: (value) => ({
      rateAuthority: addressOrNull(value),
      initializationTimestamp: value.i64(),
      preUpdateAverageRate: value.i16(),
      lastUpdateTimestamp: value.i64(),
      currentRate: value.i16(),
    }),
  },
  11: { extension: 'cpiGuard', state: (value) => ({ lockCpi: flag(value) }) },
  12: { extension: 'permanentDelegate', state: (value) => ({ delegate: addressOrNull(value) }) },
  13: { extension: 'nonTransferableAccount' },
  14: {
    extension: 'transferHook',
    state: (value) => ({ authority: addressOrNull(value), programId: addressOrNull(value) }),
  },
  15: { extension: 'transferHookAccount', state: (value) => ({ transferring: flag(value) }) },
  16: {
    extension: 'confidentialTransferFeeConfig',
    state: (value) => ({
      authority: addressOrNull(value),
      withdrawWithheldAuthorityElgamalPubkey: elGamalKeyOrNull(value),
      harvestToMintEnabled: flag(value),
      withheldAmount: elGamalCiphertext(value),
    }),
  },
  17: {
    extension: 'confidentialTransferFeeAmount',
    state: (value) => ({ withheldAmount: elGamalCiphertext(value) }),
  },
  18: {
    extension: 'metadataPointer',
    state: (value) => ({ authority: addressOrNull(value), metadataAddress: addressOrNull(value) }),
  },
  19: {
    extension: 'tokenMetadata',
    state: (value) => ({
      updateAuthority: addressOrNull(value),
      mint: value.address(),
      name: borshText(value),
      symbol: borshText(value),
      uri: borshText(value),
      additionalMetadata: borshTextPairs(value),
    }),
  },
  20: {
    extension: 'groupPointer',
    state: (value) => ({ authority: addressOrNull(value), groupAddress: addressOrNull(value) }),
  },
  21: {
    extension: 'tokenGroup',
    state: (value) => ({
      updateAuthority: addressOrNull(value),
      mint: value.address(),
      size: value.u64(),
      maxSize: value.u64(),
    }),
  },
  22: {
    extension: 'groupMemberPointer',
    state: (value) => ({ authority: addressOrNull(value), memberAddress: addressOrNull(value) }),
  },
  23: {
    extension: 'tokenGroupMember',
    state: (value) => ({ mint: value.address(), group: value.address(), memberNumber: value.u64() }),
  },
  24: {
    extension: 'confidentialMintBurn',
    state: (value) => ({
      confidentialSupply: elGamalCiphertext(value),
      decryptableSupply: aesCiphertext(value),
      supplyElgamalPubkey: elGamalKey(value),
      pendingBurn: elGamalCiphertext(value),
    }),
  },
  25: {
    extension: 'scaledUiAmountConfig',
    state: (value) => ({
      authority: addressOrNull(value),
      multiplier: plainFloatText(value.f64()),
      newMultiplierEffectiveTimestamp: value.i64(),
      newMultiplier: plainFloatText(value.f64()),
    }),
  },
  26: {
    extension: 'pausableConfig',
    state: (value) => ({ authority: addressOrNull(value), paused: flag(value) }),
  },
  27: { extension: 'pausableAccount' },
  28: { extension: 'permissionedBurnConfig', state: (value) => ({ authority: addressOrNull(value) }) },
};

interface AuthorityType {
  readonly name: string;
  readonly of: 'mint' | 'account';
}

/** Authorities by number (`AuthorityType` in `spl-token-2022-interface`). All but two belong to mints. */
const AUTHORITY_TYPES = [
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
  'confidentialTransferMint',
  'transferHookProgramId',
  'confidentialTransferFeeConfig',
  'metadataPointer',
  'groupPointer',
  'groupMemberPointer',
  'scaledUiAmount',
  'pause',
  'permissionedBurn',
] as const;

/** @throws {Unparsable} for an unknown number. */
export function authorityTypeName(number: number): AuthorityType {
  const name = AUTHORITY_TYPES[number];
  if (name === undefined) throw new Unparsable('unknown authority type');
  return { name, of: name === 'accountOwner' || name === 'closeAccount' ? 'account' : 'mint' };
}

/** `ExtensionType`s whose names differ from the names of their states (`spl-token-2022-interface`). */
const OTHER_TYPE_NAMES: Readonly<Record<number, string>> = {
  0: 'uninitialized',
  25: 'scaledUiAmount',
  26: 'pausable',
  28: 'permissionedBurn',
};

/** @throws {Unparsable} for an unknown number. */
export function extensionTypeName(number: number): string {
  const name = OTHER_TYPE_NAMES[number] ?? EXTENSION_STATES[number]?.extension;
  if (name === undefined) throw new Unparsable('unknown extension');
  return name;
}

/** Account states by number (`AccountState` in `spl-token-2022-interface`). */
export const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'] as const;

/** Returns the name of a token account's state; undefined for an unknown number. */
export function accountStateName(number: number): string | undefined {
  return ACCOUNT_STATES[number];
}

/**
 * Reads the extensions of a Token-2022 mint or account in storage order.
 *
 * @throws {Unparsable} for an unknown type or an invalid length.
 */
export function readExtensions(data: Uint8Array): readonly TokenExtension[] {
  const extensions = listExtensions(data);
  if (extensions === null) throw new Unparsable('too few bytes');
  if (extensions.some(({ type }) => EXTENSION_STATES[type] === undefined && type !== 0))
    throw new Unparsable('unknown extension');
  return extensions;
}
