import type { Chain } from '../../chain/chain.ts';
import { COMMON_MINTS, formatBaseUnits } from '../../payments/mints/common-mints.ts';
import { readMint } from '../../payments/mints/mint-facts.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable } from './verb-failure.ts';

/** The most base units there can be (SPL Token: u64). */
const AMOUNT_MAX = 2n ** 64n - 1n;

/** A mint, and how its amounts are written. */
export interface MintScale {
  readonly mint: Address;
  readonly decimals: number;
  /** What it is commonly called, or "tokens". */
  readonly unit: string;
}

/**
 * The mint of `--mint`, else the USDC of the network, with its decimals as the chain tells them.
 *
 * @throws {VerbFailure} `config`; {ServiceError} MINT_NOT_FOUND and others of readMint.
 */
export async function readScale(call: VerbCall, chain: Chain): Promise<MintScale> {
  const text = call.valueOf('mint') ?? chain.defaultMint;
  if (!isAddress(text)) throw unusable('--mint needs the base58 address of a mint');
  const { decimals } = await readMint(chain, text);
  return { mint: text, decimals, unit: COMMON_MINTS.get(text)?.symbol ?? 'tokens' };
}

/**
 * An amount as it is typed: whole tokens with a fraction, or base units.
 *
 * @param decimals of the mint; 0 for base units.
 * @param name what the amount is called in errors.
 * @throws {VerbFailure} `config`: it is none, has more decimals than the mint, or is more than there can be.
 */
export function parseAmount(text: string, decimals: number, name: string): bigint {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') throw unusable(`${name} needs a number such as 0.25, where it has '${text}'`);
  if (fraction.length > decimals) {
    const most = decimals === 0 ? 'a whole number of base units' : `at most ${decimals} decimals`;
    throw unusable(`${name} needs ${most}, where it has '${text}'`);
  }
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (amount > AMOUNT_MAX) throw unusable(`${name} is more than there can be, 2^64 - 1 base units: ${text}`);
  return amount;
}

/** How many decimals the amounts of a call have. */
export const decimalsOf = (call: VerbCall, { decimals }: MintScale): number =>
  call.has('base-units') ? 0 : decimals;

/** An amount for people. */
export const formatAmount = (amount: bigint, { decimals, unit }: MintScale): string =>
  `${formatBaseUnits(amount, decimals)} ${unit}`;
