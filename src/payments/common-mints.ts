import { NATIVE_MINT, USDC_DEVNET_MINT, USDC_MINT } from '../programs/addresses.ts';
import type { Address } from '../solana/address.ts';
import { formatBaseUnits } from './base-units.ts';

/** What is known of a mint. */
export interface KnownMint {
  readonly decimals: number;
  readonly symbol: string | null;
}

/** Mainnet USDT (Tether's own publication). */
const USDT_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;

/** Mints whose decimals and symbol are common knowledge, so that they can be named without a chain. */
export const COMMON_MINTS: ReadonlyMap<Address, KnownMint> = new Map([
  [USDC_MINT, { decimals: 6, symbol: 'USDC' }],
  [USDC_DEVNET_MINT, { decimals: 6, symbol: 'USDC (devnet)' }],
  [USDT_MINT, { decimals: 6, symbol: 'USDT' }],
  [NATIVE_MINT, { decimals: 9, symbol: 'SOL' }],
]);

/** An amount of tokens in words: the figure people use, then base units and mint, so that nothing is left to guess. */
export function describeTokens(
  amount: bigint,
  { mint, decimals }: { mint: Address; decimals: number },
): string {
  const unit = COMMON_MINTS.get(mint)?.symbol ?? 'tokens';
  return `${formatBaseUnits(amount, decimals)} ${unit} (${amount} base units of mint ${mint})`;
}
