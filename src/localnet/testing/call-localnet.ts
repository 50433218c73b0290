import { createPrivatePayments, type PrivatePayments } from '../../client/private-payments.ts';
import type { Localnet } from '../localnet.ts';
import type { LocalnetWallet } from '../localnet.ts';

/** Calls a JSON-RPC method. @throws {Error} with the error of the node. */
export async function ask(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}

/** Creates a client of the service of a localnet. */
export const paymentsOf = (localnet: Localnet): PrivatePayments =>
  createPrivatePayments({ url: localnet.urls.service });

/** Reads a wallet's base balance of the default mint, in base units. */
export async function balanceOf(
  localnet: Localnet,
  wallet: Pick<LocalnetWallet, 'address'>,
): Promise<bigint> {
  const { balance } = await paymentsOf(localnet).getBalance({ address: wallet.address, mint: localnet.mint });
  return balance;
}

/** Reads a wallet's rollup balance of the default mint, in base units. */
export async function privateBalanceOf(localnet: Localnet, wallet: LocalnetWallet): Promise<bigint> {
  const token = await localnet.logIn(wallet);
  const asked = { address: wallet.address, mint: localnet.mint };
  const { balance } = await paymentsOf(localnet).getPrivateBalance(asked, { token });
  return balance;
}

/** Deposits a wallet's tokens into the rollup. */
export async function deposit(localnet: Localnet, wallet: LocalnetWallet, amount: bigint): Promise<string> {
  const built = await paymentsOf(localnet).deposit({
    owner: wallet.address,
    mint: localnet.mint,
    amount,
    initIfMissing: true,
    initVaultIfMissing: true,
  });
  return await localnet.send(built, wallet);
}

/** Pays from wallet to wallet on the rollup. Both must have an account there. */
export async function payPrivately(
  localnet: Localnet,
  from: LocalnetWallet,
  to: LocalnetWallet,
  amount: bigint,
): Promise<string> {
  const built = await paymentsOf(localnet).transfer({
    from: from.address,
    to: to.address,
    mint: localnet.mint,
    amount,
    fromBalance: 'ephemeral',
    toBalance: 'ephemeral',
  });
  return await localnet.send(built, from);
}
