import { addressOf, type Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/view-of.ts';
import { listExtensions } from './extension-list.ts';
import { decodeMintScale } from './state.ts';

/** What a transfer of a mint with a fee costs its recipient in one epoch and from then on (`TransferFee`). */
export interface TransferFee {
  /** The first epoch it is for. */
  readonly epoch: bigint;
  /** The most one transfer is charged, base units. */
  readonly maximumFee: bigint;
  /** Ten-thousandths of the amount. */
  readonly basisPoints: number;
}

/** The two fees a mint has: the newer one replaces the older one from its epoch on (`TransferFeeConfig`). */
export interface TransferFeeConfig {
  readonly older: TransferFee;
  readonly newer: TransferFee;
}

/** How figures of a mint are multiplied where they are shown; base units are not (`ScaledUiAmountConfig`). */
interface ScaledUiAmount {
  readonly multiplier: number;
  /** Replaces `multiplier` from `newMultiplierFrom` on. */
  readonly newMultiplier: number;
  /** Unix time, seconds. */
  readonly newMultiplierFrom: bigint;
}

/** The extensions of a Token-2022 mint that matter to who pays with it; null or false where the mint has them not. */
export interface MintExtensions {
  /** Part of every transfer is withheld from its recipient. */
  readonly transferFee: TransferFeeConfig | null;
  /** May move and burn the tokens of every account. */
  readonly permanentDelegate: Address | null;
  /** The program every transfer calls; null also where the mint has room for one and names none. */
  readonly transferHook: Address | null;
  /** Whether the mint has room for such a program, named or not: its accounts are longer then. */
  readonly hasTransferHook: boolean;
  /** The state new token accounts begin in. */
  readonly defaultState: 'uninitialized' | 'initialized' | 'frozen' | null;
  /** Tokens stay where they were minted. */
  readonly nonTransferable: boolean;
  /** Whether transfers are paused now; null where they cannot be. */
  readonly pausable: { readonly authority: Address | null; readonly paused: boolean } | null;
  /** Figures grow with time where they are shown; base units do not. The rate is in ten-thousandths a year. */
  readonly interestBearing: { readonly basisPoints: number } | null;
  readonly scaledUiAmount: ScaledUiAmount | null;
  /** Numbers of extensions this table does not know: what they do to a transfer cannot be told. */
  readonly unknownTypes: readonly number[];
}

/** Types and bytes of the values (`ExtensionType` and the structs of `spl-token-2022-interface`). */
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

/** The last number of `ExtensionType` that is known: `PermissionedBurn`. */
const KNOWN_TYPE_MAX = 28;

/**
 * The extensions of an initialised mint that matter to a payer, all of them null or false for one of SPL Token; null when
 * the bytes are no initialised mint, or its extensions do not have the form Token-2022 gives them.
 */
export function decodeMintExtensions(data: Uint8Array): MintExtensions | null {
  if (decodeMintScale(data) === null) return null;
  const stored = listExtensions(data);
  if (stored === null) return null;
  const found = new Map<number, Uint8Array>();
  // Of two of a type the program takes the first.
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
      older: transferFeeAt(view, 72),
      newer: transferFeeAt(view, 90),
    })),
    permanentDelegate: read(FORMS.permanentDelegate, (value) => addressOrNull(value, 0)),
    transferHook: read(FORMS.transferHook, (value) => addressOrNull(value, 32)),
    hasTransferHook: found.has(FORMS.transferHook.type),
    defaultState: read(FORMS.defaultState, (value) => STATES[value[0] as number] ?? 'uninitialized'),
    nonTransferable: found.has(FORMS.nonTransferable.type),
    pausable: read(FORMS.pausable, (value) => ({
      authority: addressOrNull(value, 0),
      paused: value[32] !== 0,
    })),
    interestBearing: read(FORMS.interestBearing, (_, view) => ({ basisPoints: view.getInt16(50, true) })),
    scaledUiAmount: read(FORMS.scaledUiAmount, (_, view) => ({
      multiplier: view.getFloat64(32, true),
      newMultiplier: view.getFloat64(48, true),
      newMultiplierFrom: view.getBigInt64(40, true),
    })),
    unknownTypes: [...found.keys()].filter((type) => type > KNOWN_TYPE_MAX),
  };
}

/** What a transfer is charged, base units. */
export interface TransferFeeDue {
  /** Withheld from the amount at the recipient's account. */
  readonly withheld: bigint;
  /** False when the epoch is not known and another one would be charged less: `withheld` is then the most it can be. */
  readonly isCertain: boolean;
}

/**
 * The fee of transferring `amount` base units in `epoch`; the larger of both fees of the mint where the epoch is null.
 * Nothing is withheld by a mint without fee.
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

/** Ten-thousandths a whole has (SPL Token-2022 `ONE_IN_BASIS_POINTS`). */
const ONE_IN_BASIS_POINTS = 10_000n;

/** Rounded up to whole base units, and never more than the maximum (`TransferFee::calculate_fee`). */
function feeOf({ basisPoints, maximumFee }: TransferFee, amount: bigint): bigint {
  const fee = (amount * BigInt(basisPoints) + ONE_IN_BASIS_POINTS - 1n) / ONE_IN_BASIS_POINTS;
  return fee < maximumFee ? fee : maximumFee;
}

const transferFeeAt = (view: DataView, at: number): TransferFee => ({
  epoch: view.getBigUint64(at, true),
  maximumFee: view.getBigUint64(at + 8, true),
  basisPoints: view.getUint16(at + 16, true),
});

/** By number (`AccountState`); a number that stands for none counts as uninitialised. */
const STATES = ['uninitialized', 'initialized', 'frozen'] as const;

/** An address of which 32 zeros mean none (`OptionalNonZeroPubkey`). */
function addressOrNull(value: Uint8Array, at: number): Address | null {
  const bytes = value.subarray(at, at + 32);
  return bytes.every((byte) => byte === 0) ? null : addressOf(bytes);
}
