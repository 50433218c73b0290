import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Ledger } from '../ledger.ts';
import { readTokenAmount } from '../state/accounts.ts';

/** Returns the token accounts of an SPL Token mint with their amounts in base units, largest first. */
export function holdingsOf(
  ledger: Pick<Ledger, 'tokenAccounts'>,
  mint: Address,
): { readonly address: Address; readonly amount: bigint }[] {
  const accounts = ledger.tokenAccounts({ holder: 'mint', address: mint, program: TOKEN_PROGRAM });
  return Array.from(accounts, ([address, { data }]) => ({ address, amount: readTokenAmount(data) })).sort(
    (a, b) => Number(b.amount - a.amount),
  );
}
