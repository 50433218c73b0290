import { ServiceError } from '../errors/service-error.ts';
import { addressBytes, type Address } from '../solana/address.ts';
import { isOnCurve } from '../solana/curve.ts';

/**
 * Refuses an address off the curve where a wallet is needed: it has no private key, so that nobody could sign `what`,
 * and its ATA is not derived this way.
 *
 * @param field the argument the address came in.
 * @param what the thing to be signed, with its article: "a deposit".
 * @throws {ServiceError} INVALID_OWNER.
 */
export function requireWallet(wallet: Address, field: string, what: string): void {
  if (isOnCurve(addressBytes(wallet))) return;
  throw new ServiceError(
    'INVALID_OWNER',
    `${field} ${wallet} is off the curve (a program-derived address): it cannot sign ${what}; pass the address of a wallet`,
    { field, [field]: wallet },
  );
}
