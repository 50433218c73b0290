import type { Chain } from '../../chain/chain.ts';
import { AMOUNT_MAX } from '../../payments/fields/fields.ts';
import { COMMON_MINTS, formatBaseUnits } from '../../payments/mints/common-mints.ts';
import { readMint } from '../../payments/mints/mint-facts.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable } from './verb-failure.ts';

/** Decimals of SOL. One SOL is 1,000,000,000 lamports. */
export const SOL_DECIMALS = 9;

/** A mint, and the format of its amounts. */
export interface MintScale {
  readonly mint: Address;
  readonly decimals: number;
  /** The common symbol of the mint, or "tokens". */
  readonly unit: string;
}

/**
 * Returns the mint from `--mint`, or the network's USDC, with its decimals from the chain.
 *
 * @throws {VerbFailure} `config`; {ServiceError} MINT_NOT_FOUND and other errors of readMint.
 */
export async function readScale(call: VerbCall, chain: Chain): Promise<MintScale> {
  const text = call.valueOf('mint') ?? chain.defaultMint;
  if (!isAddress(text)) throw unusable('--mint needs the base58 address of a mint');
  const { decimals } = await readMint(chain, text);
  return { mint: text, decimals, unit: COMMON_MINTS.get(text)?.symbol ?? 'tokens' };
}

/**
 * Parses an amount of tokens with a fraction, or of base units.
 *
 * @param decimals the decimals of the mint; 0 for base units.
 * @param name the name of the amount in errors.
 * @throws {VerbFailure} `config` if the text is not a number, has too many decimals, or exceeds 2^64 - 1.
 */
export function parseAmount(text: string, decimals: number, name: string): bigint {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') throw unusable(`${name} needs a number such as 0.25, not '${text}'`);
  if (fraction.length > decimals) {
    const most = decimals === 0 ? 'be a whole number of base units' : `have at most ${decimals} decimals`;
    throw unusable(`${name} must ${most}, not '${text}'`);
  }
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (amount > AMOUNT_MAX) throw unusable(`${name} is more than the maximum of 2^64 - 1 base units: ${text}`);
  return amount;
}

/** Returns the number of decimals in a call's amounts. */
export const decimalsOf = (call: VerbCall, { decimals }: MintScale): number =>
  call.has('base-units') ? 0 : decimals;

/** Formats an amount with its unit. */
export const formatAmount = (amount: bigint, { decimals, unit }: MintScale): string =>
  `${formatBaseUnits(amount, decimals)} ${unit}`;
