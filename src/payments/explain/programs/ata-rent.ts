import { TOKEN_2022_PROGRAM } from '../../../programs/addresses.ts';
import { ataBytes } from '../../../programs/token/account-bytes.ts';
import { decodeMintExtensions } from '../../../programs/token/mint-extensions.ts';
import type { Reading } from '../reading.ts';

/**
 * The rent of an associated token account for the call's `mint`, lamports; the largest possible one if the
 * mint was not read; null if the cluster's rent was not.
 */
export function ataRent(r: Reading): bigint | null {
  const mint = r.accountOf('mint');
  const extensions = mint?.owner === TOKEN_2022_PROGRAM ? decodeMintExtensions(mint.data) : null;
  return r.rent(ataBytes(r.account('tokenProgram'), extensions));
}
