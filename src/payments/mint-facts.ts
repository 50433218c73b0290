import type { Chain } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs/addresses.ts';
import { decodeMint } from '../programs/token/state.ts';
import type { Address } from '../solana/address.ts';

/** What the operations need to know of a mint. */
export interface MintFacts {
  readonly mint: Address;
  /** The program that owns the mint: SPL Token or Token-2022. */
  readonly tokenProgram: Address;
  readonly decimals: number;
}

/**
 * Reads a mint from the chain.
 *
 * @throws {ServiceError} MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM when another program owns the account,
 *   ACCOUNT_UNREADABLE when a token program owns it but it is no initialised mint.
 */
export async function readMint(chain: Chain, mint: Address): Promise<MintFacts> {
  const [account] = await chain.getAccounts([mint]);
  if (account === null || account === undefined) {
    throw new ServiceError(
      'MINT_NOT_FOUND',
      `mint ${mint} does not exist on ${chain.cluster}; pass a mint that does`,
      {
        field: 'mint',
        mint,
        cluster: chain.cluster,
      },
    );
  }
  if (account.owner !== TOKEN_PROGRAM && account.owner !== TOKEN_2022_PROGRAM) {
    throw new ServiceError(
      'UNSUPPORTED_TOKEN_PROGRAM',
      `mint ${mint} belongs to ${account.owner}, which is neither SPL Token nor Token-2022; pass the address of a mint`,
      { field: 'mint', mint, owner: account.owner },
    );
  }
  const decoded = decodeMint(account.data);
  if (decoded === null) {
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `account ${mint} belongs to a token program but is not an initialised mint; pass the address of a mint`,
      { field: 'mint', mint },
    );
  }
  return { mint, tokenProgram: account.owner, decimals: decoded.decimals };
}
