import { ServiceError } from '../errors/service-error.ts';
import { decodeTokenHolding, type TokenHolding } from '../programs/token/state.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';

/**
 * What the token account at an owner's ATA holds, null where there is none: also when only lamports were sent to the address.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE when it belongs to the token program but is no token account.
 */
export function readOwnerTokens(
  place: { readonly owner: Address; readonly ownerAta: Address; readonly tokenProgram: Address },
  account: Account | null,
): TokenHolding | null {
  if (account === null || account.owner !== place.tokenProgram) return null;
  const tokens = decodeTokenHolding(account.data);
  if (tokens === null) {
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `The token account ${place.ownerAta} of ${place.owner} cannot be read as one`,
      { ata: place.ownerAta },
    );
  }
  return tokens;
}
