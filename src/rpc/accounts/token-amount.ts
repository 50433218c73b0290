import { Float64, floatText, type JsonOutputObject } from '../../json/write-json.ts';
import type { AccountReads } from '../../ledger/ledger.ts';
import { NATIVE_MINT, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import { type AmountScale, amountScaleOf } from '../../programs/token/amount-scale.ts';
import { decodeMint, type Mint } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader, tryParse } from '../../solana/byte-reader.ts';
import { invalidParams } from '../errors.ts';
import { readExtensions } from '../parsed/token-extensions.ts';

/** Maximum decimals with a float. With more, the divisor exceeds 64 bits (Agave `10_usize.checked_pow`). */
const FLOAT_DECIMALS_MAX = 19;

const ZERO = 0x30;

/** Shows an amount in base units, and in whole tokens as float and text (Agave `UiTokenAmount`). */
export function uiTokenAmount(amount: bigint, decimals: number): JsonOutputObject {
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: decimals > FLOAT_DECIMALS_MAX ? null : new Float64(uiAmountFloat(amount, decimals)),
    uiAmountString: wholeTokens(amount, decimals),
  };
}

/** Writes {@link uiTokenAmount} as JSON text. Transactions contain many amounts, and objects are slower. */
export function writeUiTokenAmount(amount: bigint, decimals: number): string {
  const uiAmount = decimals > FLOAT_DECIMALS_MAX ? 'null' : floatText(uiAmountFloat(amount, decimals));
  return `{"amount":"${amount}","decimals":${decimals},"uiAmount":${uiAmount},"uiAmountString":"${wholeTokens(amount, decimals)}"}`;
}

function uiAmountFloat(amount: bigint, decimals: number): number {
  return Number(amount) / 10 ** decimals;
}

/** Converts base units to whole tokens without rounding or trailing zeros (`real_number_string_trimmed`). */
export function wholeTokens(amount: bigint, decimals: number): string {
  const digits = amount.toString();
  if (decimals === 0) return digits;
  const padded = digits.padStart(decimals + 1, '0');
  const point = padded.length - decimals;
  let end = padded.length;
  while (end > point && padded.charCodeAt(end - 1) === ZERO) end--;
  const whole = padded.slice(0, point);
  return end === point ? whole : `${whole}.${padded.slice(point, end)}`;
}

/** The decimals of wrapped SOL, even if its mint does not exist (SPL Token `native_mint::DECIMALS`). */
const NATIVE_MINT_DECIMALS = 9;

/** Offset of the time in the Clock sysvar. */
const CLOCK_TIME_AT = 32;

/** The format of a mint's amounts. */
export interface TokenUnit {
  readonly decimals: number;
  /** The scale of displayed amounts, if interest or a multiplier applies. */
  readonly scale?: AmountScale;
}

type LookUp = (address: Address) => Account | null;

/** Returns the unit of the mint at `address`; undefined if there is no mint. */
export function findTokenUnit(address: Address, lookUp: LookUp): TokenUnit | undefined {
  if (address === NATIVE_MINT) return { decimals: NATIVE_MINT_DECIMALS };
  const data = lookUp(address)?.data;
  const mint = data === undefined ? null : decodeMint(data);
  return mint === null ? undefined : tokenUnit(mint, data as Uint8Array, lookUp);
}

/**
 * Returns the unit of a mint.
 *
 * @param data the data of the mint's account.
 */
export function tokenUnit({ decimals }: Mint, data: Uint8Array, lookUp: LookUp): TokenUnit {
  const extensions = tryParse(() => readExtensions(data)) ?? [];
  if (extensions.length === 0) return { decimals };
  const scale = tryParse(() => amountScaleOf(extensions, readUnixTime(lookUp)));
  return scale === undefined ? { decimals } : { decimals, scale };
}

/** Reads the time from the Clock sysvar, in Unix seconds. */
function readUnixTime(lookUp: LookUp): bigint {
  const clock = new ByteReader(lookUp(CLOCK_SYSVAR)?.data ?? new Uint8Array(0));
  clock.take(CLOCK_TIME_AT);
  return clock.i64();
}

/** Shows an amount like Agave (`token_amount_to_ui_amount_v3`). */
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

/** The properties of a mint that the methods use. */
interface MintFacts {
  /** The owner of the mint's account. It may be any program, because `readMint` does not check it. */
  readonly tokenProgram: Address;
  /** The format of the mint's amounts. */
  readonly unit: TokenUnit;
}

/**
 * Reads the mint at `address`.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `get_mint_owner_and_additional_data`.
 */
export function readMint(ledger: AccountReads, address: Address): MintFacts {
  if (address === NATIVE_MINT)
    return { tokenProgram: TOKEN_PROGRAM, unit: { decimals: NATIVE_MINT_DECIMALS } };
  const account = ledger.getAccount(address);
  if (account === null) throw invalidParams('Invalid param: could not find mint');
  const mint = decodeMint(account.data);
  if (mint === null) throw invalidParams('Invalid param: Token mint could not be unpacked');
  const unit = tokenUnit(mint, account.data, (other) => ledger.getAccount(other));
  return { tokenProgram: account.owner, unit };
}
