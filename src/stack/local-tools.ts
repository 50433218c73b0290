import type { Chain } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import type { Config } from '../config/config.ts';
import { ANONYMOUS, type Operation } from '../payments/operation.ts';
import { createSendTransaction } from '../payments/send-transaction.ts';
import type { LocalFaucet } from '../wallets/fund.ts';
import { TestWallets } from '../wallets/test-wallets.ts';
import { createWalletOperations } from '../wallets/wallet-operations.ts';
import { withLogins } from '../wallets/with-logins.ts';
import { chooseOperations, type Choice } from './offered-operations.ts';
import type { Ports } from './ports.ts';
import { REAL_WAITING } from './real-waiting.ts';

/** What the operations are made of where this process has a ledger of its own. */
export interface LocalToolsParts {
  readonly config: Pick<Config, 'localnetWallets'> & Partial<Choice>;
  readonly clusters: Clusters;
  readonly ports: Ports;
  /** The cluster `localnet`, and the faucet of its ledger; null where there is none. */
  readonly localnet: { readonly chain: Chain; readonly faucet: LocalFaucet } | null;
}

/** The operations that are offered, and those that are tools alone. */
interface Offer {
  readonly operations: readonly Operation[];
  readonly toolOperations: readonly Operation[];
}

/**
 * Adds the tools of test wallets where `LOCALNET_WALLETS` asks for them; operations then use their logins.
 */
export function withLocalTools(operations: readonly Operation[], parts: LocalToolsParts): Offer {
  const { config, clusters, ports, localnet } = parts;
  if (!config.localnetWallets || localnet === null) return { operations, toolOperations: [] };
  const { chain, faucet } = localnet;
  const wallets = new TestWallets(ports.random);
  const { run } = createSendTransaction({ clusters, waiting: REAL_WAITING });
  const toolOperations = createWalletOperations({
    wallets,
    chain,
    faucet,
    waiting: REAL_WAITING,
    send: (sent) => run(sent, ANONYMOUS),
  });
  return {
    operations: operations.map((operation) => withLogins(operation, wallets, clusters)),
    toolOperations: chooseOperations(toolOperations, config),
  };
}
