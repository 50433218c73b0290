import type { Chain } from '../chain/chain.ts';
import type { Operation } from '../payments/operation.ts';
import type { Waiting } from '../payments/send-transaction/confirmation.ts';
import { createCreateWallet } from './create-wallet.ts';
import { createFund, type LocalFaucet } from './fund.ts';
import { createLogIn } from './log-in.ts';
import { createSignAndSend, type Send } from './sign-and-send.ts';
import type { TestWallets } from './test-wallets.ts';

/** The names of the tools, after their namespace. */
export const WALLET_TOOLS = ['createWallet', 'fund', 'signAndSend', 'login'] as const;

/** What the tools of test wallets work with. */
interface WalletParts {
  readonly wallets: TestWallets;
  /** The cluster `localnet`. */
  readonly chain: Chain;
  readonly faucet: LocalFaucet;
  readonly send: Send;
  readonly waiting: Waiting;
}

/**
 * Tools with which a whole payment is made on localnet, from a new wallet on. They are offered over MCP
 * alone.
 */
export function createWalletOperations({
  wallets,
  chain,
  faucet,
  send,
  waiting,
}: WalletParts): readonly Operation[] {
  return [
    createCreateWallet(wallets),
    createFund(chain, faucet, waiting),
    createSignAndSend(wallets, send),
    createLogIn(wallets, chain, waiting.clock),
  ] as readonly Operation[];
}
