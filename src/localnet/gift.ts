import { ServiceError } from '../errors/service-error.ts';
import { AMOUNT_MAX } from '../payments/fields/fields.ts';
import { parseAddress } from '../solana/address.ts';
import type { LocalFaucet } from '../wallets/fund.ts';

/** What a wallet is given. */
export interface Gift {
  /** SOL, with nine decimals at most: 1.5 is 1,500,000,000 lamports. */
  readonly sol?: number;
  /** Base units of the mint: 1_500_000n is 1.5 USDC. */
  readonly tokens?: bigint | number;
  /** The mint of the tokens, base58; USDC when left out. */
  readonly mint?: string;
}

/** A wallet, or its address. */
export type Holder = string | { readonly address: string };

/**
 * Gives SOL, tokens or both; what was given is there when this resolves.
 *
 * @throws {ServiceError} INVALID_ADDRESS, INVALID_AMOUNT, INVALID_ARGUMENTS for nothing to give and of the
 *   faucet, MINT_NOT_FOUND, FAUCET_LIMIT.
 */
export async function give(
  faucet: LocalFaucet,
  holder: Holder,
  { sol, tokens, mint }: Gift & { readonly mint: string },
): Promise<void> {
  const wallet = parseAddress(typeof holder === 'string' ? holder : holder.address, 'wallet');
  if (sol === undefined && tokens === undefined) {
    throw new ServiceError('INVALID_ARGUMENTS', 'Nothing to give: pass sol, tokens or both');
  }
  const lamports = sol === undefined ? null : lamportsOf(sol);
  const amount = tokens === undefined ? null : baseUnitsOf(tokens);
  // Tokens first: what may be wrong with a mint is found before anything is given.
  if (amount !== null) await faucet.airdropTokens(wallet, parseAddress(mint, 'mint'), amount);
  if (lamports !== null) await faucet.airdrop(wallet, lamports);
}

/** As many decimals as lamports have, exactly: a number that would be rounded is refused. */
function lamportsOf(sol: number): bigint {
  const text = Number.isFinite(sol) && sol >= 0 && sol < 1e10 ? sol.toFixed(9) : '';
  if (text === '' || Number(text) !== sol) {
    throw new ServiceError('INVALID_AMOUNT', 'sol must be a number from 0 with nine decimals at most', {
      field: 'sol',
    });
  }
  return BigInt(text.replace('.', ''));
}

function baseUnitsOf(tokens: bigint | number): bigint {
  const isExact = typeof tokens === 'bigint' || Number.isSafeInteger(tokens);
  if (isExact && tokens >= 0 && tokens <= AMOUNT_MAX) return BigInt(tokens);
  throw new ServiceError(
    'INVALID_AMOUNT',
    `tokens must be a whole number of base units from 0 to ${AMOUNT_MAX}, as a bigint or a safe integer`,
    { field: 'tokens' },
  );
}
