import { Keypair } from '../../src/ledger/keypair.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { addressBytes } from '../../src/solana/address.ts';
import { callLedger, type StackProcess, startStack } from '../stack-process.ts';

const LAMPORTS = 10_000_000_000;
const TOKENS = 1_000_000_000;

/** Maximum cost of a public gasless transfer between existing accounts: two signatures, in lamports. */
export const GASLESS_LAMPORTS = 10_000n;

/** A localnet in one process, which the replicas use as their cluster. */
export interface Network {
  readonly ledgerUrl: string;
  /** Wallets with SOL and USDC. */
  readonly wallets: readonly Keypair[];
  readonly sponsor: Keypair;
  /** The settings of a replica: the cluster, and the sponsor of gasless transfers. */
  readonly env: Record<string, string>;
  stop(): Promise<unknown>;
}

/** Starts a localnet with funded wallets. `folder` is for its ledger. */
export async function startNetwork(folder: string, walletCount: number): Promise<Network> {
  const stack: StackProcess = await startStack(folder, { env: { LOG_LEVEL: 'error' } });
  const { ledgerUrl, rollupUrl } = stack;
  const seed = systemRandom.bytes(32);
  const sponsor = new Keypair(seed);
  const wallets = Array.from({ length: walletCount }, () => new Keypair(systemRandom.bytes(32)));
  for (const { address } of [sponsor, ...wallets]) {
    await callLedger(ledgerUrl, 'requestAirdrop', [address, LAMPORTS]);
    await callLedger(ledgerUrl, 'requestTokenAirdrop', [address, USDC_MINT, TOKENS]);
  }
  return {
    ledgerUrl,
    wallets,
    sponsor,
    env: {
      CLUSTER: 'mainnet-private',
      BASE_LAYOUT: 'a',
      BASE_RPC_URL: ledgerUrl,
      EPHEMERAL_TEE_RPC_URL: rollupUrl,
      LEDGER_UPSTREAM_URL: ledgerUrl,
      GASLESS_SPONSOR_SECRET_KEY: JSON.stringify([...seed, ...addressBytes(sponsor.address)]),
      LOG_LEVEL: 'warn',
    },
    stop: () => stack.stop(),
  };
}
