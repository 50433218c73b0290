import { type Address, addressOf } from '../../solana/address.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import { TOKEN_PROGRAM } from '../addresses.ts';
import { decodeMintScale, TOKEN_ACCOUNT_BYTES } from './state.ts';

/** Offset of Token-2022's extensions: after the length of a plain token account and the account-type byte. */
const EXTENSIONS_AT = TOKEN_ACCOUNT_BYTES + 1;

const HEADER_PART_BYTES = 2;

/** The type that marks unused space. */
const UNINITIALIZED = 0;

/** An extension as stored. */
export interface TokenExtension {
  /** The extension's number in `ExtensionType` of `spl-token-2022-interface`. */
  readonly type: number;
  readonly value: Uint8Array;
}

/**
 * Lists the extensions of a Token-2022 mint or account in storage order. Returns null if a length does not
 * fit. Layout: type u16, length in bytes u16, value (SPL Token-2022 `get_tlv_data_info`).
 */
export function listExtensions(data: Uint8Array): readonly TokenExtension[] | null {
  const view = viewOf(data);
  const extensions: TokenExtension[] = [];
  let at = EXTENSIONS_AT;
  // A single byte may be left at the end (SPL Token-2022 `get_tlv_data_info`).
  while (data.length - at >= HEADER_PART_BYTES) {
    const type = view.getUint16(at, true);
    // The rest of the account is unused room.
    if (type === UNINITIALIZED) break;
    const valueAt = at + 2 * HEADER_PART_BYTES;
    if (valueAt > data.length) return null;
    at = valueAt + view.getUint16(at + HEADER_PART_BYTES, true);
    if (at > data.length) return null;
    extensions.push({ type, value: data.subarray(valueAt, at) });
  }
  return extensions;
}

/** A transfer fee that applies from an epoch on (`TransferFee`). */
export interface TransferFee {
  readonly epoch: bigint;
  /** The maximum fee for one transfer, in base units. */
  readonly maximumFee: bigint;
  /** The fee, in basis points of the amount. */
  readonly basisPoints: number;
}

/** The two fees of a mint (`TransferFeeConfig`). The newer one replaces the older one from its epoch on. */
export interface TransferFeeConfig {
  readonly older: TransferFee;
  readonly newer: TransferFee;
}

/** A multiplier for displayed amounts (`ScaledUiAmountConfig`). Base units are unaffected. */
interface ScaledUiAmount {
  readonly multiplier: number;
  /** The multiplier that replaces `multiplier` from `newMultiplierFrom` on. */
  readonly newMultiplier: number;
  /** The time from which `newMultiplier` applies, in Unix seconds. */
  readonly newMultiplierFrom: bigint;
}

/** The extensions of a Token-2022 mint that matter to payers; null or false if the mint lacks them. */
export interface MintExtensions {
  /** The fee withheld from the recipient of every transfer. */
  readonly transferFee: TransferFeeConfig | null;
  readonly permanentDelegate: Address | null;
  /** The program called by every transfer; null if the mint has no hook or the hook names no program. */
  readonly transferHook: Address | null;
  /** The address that may set the hook program; null if there is none. */
  readonly transferHookAuthority: Address | null;
  /** Whether the mint has the hook extension, even without a program. Its token accounts are then larger. */
  readonly hasTransferHook: boolean;
  /** The initial state of new token accounts. */
  readonly defaultState: 'uninitialized' | 'initialized' | 'frozen' | null;
  /** Whether tokens cannot leave the account they were minted to. */
  readonly nonTransferable: boolean;
  /** Whether transfers are paused; null if they cannot be paused. */
  readonly pausable: { readonly authority: Address | null; readonly paused: boolean } | null;
  /** Interest on displayed amounts, in basis points per year. Base units are unaffected. */
  readonly interestBearing: { readonly basisPoints: number } | null;
  readonly scaledUiAmount: ScaledUiAmount | null;
  /** Unknown extension numbers. Their effect on transfers is unknown. */
  readonly unknownTypes: readonly number[];
}

/** Types and value sizes in bytes (`ExtensionType` and the structs of `spl-token-2022-interface`). */
const FORMS = {
  transferFee: { type: 1, bytes: 108 },
  defaultState: { type: 6, bytes: 1 },
  nonTransferable: { type: 9, bytes: 0 },
  interestBearing: { type: 10, bytes: 52 },
  permanentDelegate: { type: 12, bytes: 32 },
  transferHook: { type: 14, bytes: 64 },
  scaledUiAmount: { type: 25, bytes: 56 },
  pausable: { type: 26, bytes: 33 },
} as const;

/** The highest known number in `ExtensionType`: `PermissionedBurn`. */
const KNOWN_TYPE_MAX = 28;

/**
 * Decodes the extensions of an initialized mint that matter to payers. Returns null if the bytes are not an
 * initialized mint, or if an extension is malformed.
 */
export function decodeMintExtensions(data: Uint8Array): MintExtensions | null {
  if (decodeMintScale(data) === null) return null;
  const stored = listExtensions(data);
  if (stored === null) return null;
  const found = new Map<number, Uint8Array>();
  // If a type occurs twice, the program uses the first.
  for (const { type, value } of stored) if (!found.has(type)) found.set(type, value);
  if (Object.values(FORMS).some(({ type, bytes }) => (found.get(type)?.length ?? bytes) !== bytes))
    return null;
  const read = <T>(
    { type }: { type: number },
    decode: (value: Uint8Array, view: DataView) => T,
  ): T | null => {
    const value = found.get(type);
    return value === undefined ? null : decode(value, viewOf(value));
  };
  return {
    transferFee: read(FORMS.transferFee, (_, view) => ({
      // The older fee follows two authorities (32 each) and the withheld amount u64.
      older: transferFeeAt(view, 72),
      newer: transferFeeAt(view, 90),
    })),
    permanentDelegate: read(FORMS.permanentDelegate, (value) => addressOrNull(value, 0)),
    // The authority comes before the program.
    transferHook: read(FORMS.transferHook, (value) => addressOrNull(value, 32)),
    transferHookAuthority: read(FORMS.transferHook, (value) => addressOrNull(value, 0)),
    hasTransferHook: found.has(FORMS.transferHook.type),
    defaultState: read(FORMS.defaultState, (value) => STATES[value[0] as number] ?? 'uninitialized'),
    nonTransferable: found.has(FORMS.nonTransferable.type),
    pausable: read(FORMS.pausable, (value) => ({
      authority: addressOrNull(value, 0),
      paused: value[32] !== 0,
    })),
    // The current rate, after authority 32, start i64, average rate i16 and the time of the last change i64.
    interestBearing: read(FORMS.interestBearing, (_, view) => ({ basisPoints: view.getInt16(50, true) })),
    scaledUiAmount: read(FORMS.scaledUiAmount, (_, view) => ({
      multiplier: view.getFloat64(32, true),
      newMultiplier: view.getFloat64(48, true),
      newMultiplierFrom: view.getBigInt64(40, true),
    })),
    unknownTypes: [...found.keys()].filter((type) => type > KNOWN_TYPE_MAX),
  };
}

/** The fee for a transfer, in base units. */
export interface TransferFeeDue {
  /** Amount withheld in the recipient's account, in base units. */
  readonly withheld: bigint;
  /**
   * Whether the fee is certain: not if the epoch is unknown and the two fees differ. `withheld` is then the
   * larger fee.
   */
  readonly isCertain: boolean;
}

/**
 * Returns the fee for transferring `amount` base units in `epoch`. If `epoch` is null, returns the larger of
 * the mint's two fees. 0 for a mint without a fee.
 */
export function transferFeeOf(
  { transferFee }: Pick<MintExtensions, 'transferFee'>,
  epoch: bigint | null,
  amount: bigint,
): TransferFeeDue {
  if (transferFee === null) return { withheld: 0n, isCertain: true };
  const older = feeOf(transferFee.older, amount);
  const newer = feeOf(transferFee.newer, amount);
  if (epoch !== null) return { withheld: epoch >= transferFee.newer.epoch ? newer : older, isCertain: true };
  return { withheld: older > newer ? older : newer, isCertain: older === newer };
}

/** 100 % in basis points (SPL Token-2022 `ONE_IN_BASIS_POINTS`). */
const ONE_IN_BASIS_POINTS = 10_000n;

/** Computes a fee, rounded up to whole units and limited to the maximum (`TransferFee::calculate_fee`). */
function feeOf({ basisPoints, maximumFee }: TransferFee, amount: bigint): bigint {
  const fee = (amount * BigInt(basisPoints) + ONE_IN_BASIS_POINTS - 1n) / ONE_IN_BASIS_POINTS;
  return fee < maximumFee ? fee : maximumFee;
}

const transferFeeAt = (view: DataView, at: number): TransferFee => ({
  epoch: view.getBigUint64(at, true),
  maximumFee: view.getBigUint64(at + 8, true),
  basisPoints: view.getUint16(at + 16, true),
});

/** Account states by number (`AccountState`). Unknown numbers count as uninitialized. */
const STATES = ['uninitialized', 'initialized', 'frozen'] as const;

/** Reads an address; null for 32 zeros (`OptionalNonZeroPubkey`). */
function addressOrNull(value: Uint8Array, at: number): Address | null {
  const bytes = value.subarray(at, at + 32);
  return bytes.every((byte) => byte === 0) ? null : addressOf(bytes);
}

/** Type u16 and length u16 before each value (SPL Token-2022 `add_type_and_length_to_len`). */
const HEADER_BYTES = 4;

/** The account-type byte and `ImmutableOwner`, an extension without a value that every ATA has. */
const ATA_EXTRA_BYTES = 1 + HEADER_BYTES;

/**
 * Bytes that mint extensions require in token accounts (SPL Token-2022
 * `get_required_init_account_extensions`): `TransferFeeAmount` a u64, `TransferHookAccount` a bool,
 * `NonTransferableAccount` and `PausableAccount` nothing.
 */
const TRANSFER_FEE_AMOUNT_BYTES = HEADER_BYTES + 8;
const TRANSFER_HOOK_ACCOUNT_BYTES = HEADER_BYTES + 1;
const NON_TRANSFERABLE_ACCOUNT_BYTES = HEADER_BYTES;
const PAUSABLE_ACCOUNT_BYTES = HEADER_BYTES;

type AccountTerms = Pick<MintExtensions, 'transferFee' | 'hasTransferHook' | 'nonTransferable' | 'pausable'>;

/**
 * Returns the size of a new associated token account, in bytes.
 *
 * @param extensions the mint's extensions; null if the mint was not read. The result is then the largest
 * known size. Unknown extensions may need more.
 */
export function ataBytes(tokenProgram: Address | null, extensions: AccountTerms | null): number {
  if (tokenProgram === TOKEN_PROGRAM) return TOKEN_ACCOUNT_BYTES;
  const extended = [
    [extensions?.transferFee !== null, TRANSFER_FEE_AMOUNT_BYTES],
    [extensions?.hasTransferHook !== false, TRANSFER_HOOK_ACCOUNT_BYTES],
    [extensions?.nonTransferable !== false, NON_TRANSFERABLE_ACCOUNT_BYTES],
    [extensions?.pausable !== null, PAUSABLE_ACCOUNT_BYTES],
  ] as const;
  return extended.reduce(
    (bytes, [isNeeded, size]) => (isNeeded ? bytes + size : bytes),
    TOKEN_ACCOUNT_BYTES + ATA_EXTRA_BYTES,
  );
}
