import type { Chain } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { USDT_MINT } from '../mints/common-mints.ts';
import { readMint, type MintFacts } from '../mints/mint-facts.ts';

/** The mints of a table that names none, where the cluster has them. */
export const usualMints = ({ network, defaultMint }: Pick<Chain, 'network' | 'defaultMint'>): Address[] => [
  NATIVE_MINT,
  defaultMint,
  ...(network === 'mainnet' ? [USDT_MINT] : []),
];

/**
 * The mints that are named, all of which there must be, or those of the usual ones that there are.
 *
 * @throws {ServiceError} MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export async function readTableMints(
  chain: Chain,
  named: readonly Address[] | undefined,
): Promise<MintFacts[]> {
  if (named !== undefined) return await Promise.all([...new Set(named)].map((mint) => readMint(chain, mint)));
  const found = await Promise.all(
    usualMints(chain).map((mint) => readMint(chain, mint).catch(nullIfMissing)),
  );
  return found.filter((facts) => facts !== null);
}

function nullIfMissing(error: unknown): null {
  if (isServiceError(error) && error.code === 'MINT_NOT_FOUND') return null;
  throw error;
}
