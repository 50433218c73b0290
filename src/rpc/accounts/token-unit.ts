import { NATIVE_MINT } from '../../programs/addresses.ts';
import { decodeMint, type Mint } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { Float64, type JsonOutputObject } from '../../json/json-value.ts';
import { ByteReader, tryParse } from '../../solana/byte-reader.ts';
import { readExtensions } from '../parsed/token-names.ts';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import { type AmountScale, amountScaleOf } from '../../programs/token/amount-scale.ts';
import { uiTokenAmount } from './ui-amount.ts';

/** The decimals of wrapped SOL, even if its mint does not exist (SPL Token `native_mint::DECIMALS`). */
export const NATIVE_MINT_DECIMALS = 9;

/** Offset of the time in the Clock sysvar. */
const CLOCK_TIME_AT = 32;

/** How the amounts of a mint are shown. */
export interface TokenUnit {
  readonly decimals: number;
  /** Set if interest or a multiplier applies. */
  readonly scale?: AmountScale;
}

type LookUp = (address: Address) => Account | null;

/** The unit of the mint at `address`; undefined if there is no mint. */
export function findTokenUnit(address: Address, lookUp: LookUp): TokenUnit | undefined {
  if (address === NATIVE_MINT) return { decimals: NATIVE_MINT_DECIMALS };
  const data = lookUp(address)?.data;
  const mint = data === undefined ? null : decodeMint(data);
  return mint === null ? undefined : tokenUnit(mint, data as Uint8Array, lookUp);
}

/**
 * The unit of a mint.
 *
 * @param data the data of its account.
 */
export function tokenUnit({ decimals }: Mint, data: Uint8Array, lookUp: LookUp): TokenUnit {
  const extensions = tryParse(() => readExtensions(data)) ?? [];
  if (extensions.length === 0) return { decimals };
  const scale = tryParse(() => amountScaleOf(extensions, readUnixTime(lookUp)));
  return scale === undefined ? { decimals } : { decimals, scale };
}

/** The time in the Clock sysvar, Unix seconds. */
function readUnixTime(lookUp: LookUp): bigint {
  const clock = new ByteReader(lookUp(CLOCK_SYSVAR)?.data ?? new Uint8Array(0));
  clock.take(CLOCK_TIME_AT);
  return clock.i64();
}

/** Shows an amount as Agave does (`token_amount_to_ui_amount_v3`). */
export function showTokenAmount(amount: bigint, { decimals, scale }: TokenUnit): JsonOutputObject {
  if (scale === undefined) return uiTokenAmount(amount, decimals);
  const uiAmountString = scale(amount, decimals);
  const value = Number(uiAmountString);
  return {
    amount: amount.toString(),
    decimals,
    // serde_json has no infinity and prints null instead.
    uiAmount: Number.isFinite(value) ? new Float64(value) : null,
    uiAmountString,
  };
}
