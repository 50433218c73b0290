import { NATIVE_MINT, TOKEN_PROGRAM, USDC_DEVNET_MINT, USDC_MINT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';

/** Formats `amount` base units in whole tokens, without trailing zeros or rounding. */
export function formatBaseUnits(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Decimals and symbol of a mint. */
export interface KnownMint {
  readonly decimals: number;
  readonly symbol: string | null;
}

interface CommonMint extends KnownMint {
  readonly symbol: string;
  /** The program that owns the mint. */
  readonly tokenProgram: Address;
}

/** Mainnet USDT (Tether's own publication). */
export const USDT_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;

/**
 * Mints with publicly known decimals, program and symbol (publications of Circle and Tether; SPL Token
 * `native_mint`). They are used without a chain, and a chain that reports other values is not trusted. SPL
 * Token never closes a mint or changes its decimals.
 */
export const COMMON_MINTS: ReadonlyMap<Address, CommonMint> = new Map([
  [USDC_MINT, { decimals: 6, symbol: 'USDC', tokenProgram: TOKEN_PROGRAM }],
  [USDC_DEVNET_MINT, { decimals: 6, symbol: 'USDC (devnet)', tokenProgram: TOKEN_PROGRAM }],
  [USDT_MINT, { decimals: 6, symbol: 'USDT', tokenProgram: TOKEN_PROGRAM }],
  [NATIVE_MINT, { decimals: 9, symbol: 'SOL', tokenProgram: TOKEN_PROGRAM }],
]);

/** Formats a token amount: whole tokens, then base units and mint, which make it unambiguous. */
export function describeTokens(
  amount: bigint,
  { mint, decimals }: { mint: Address; decimals: number },
): string {
  const unit = COMMON_MINTS.get(mint)?.symbol ?? 'tokens';
  return `${formatBaseUnits(amount, decimals)} ${unit} (${amount} base units of mint ${mint})`;
}
