import { callNode } from './node-rpc.ts';
import type { Target } from './target.ts';
import { VerbFailure } from './verb-failure.ts';

/** The first 32 letters of the hash of each network's genesis: its CAIP-2 reference in namespace `solana`. */
const GENESIS: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1: 'devnet',
  '4uhcVJyU9pJkvQyUS88uRDiswHXSCkY3': 'testnet',
};

/**
 * Asks the node whose ledger it has: no real network is touched that was not named, and none is taken for
 * another.
 *
 * @throws {VerbFailure} `unsigned` where it is another one than was named; {ServiceError} UPSTREAM_*.
 */
export async function requireNetwork({ cluster, base }: Target): Promise<void> {
  const named = cluster.replace(/-private$/, '');
  const hash = await callNode({ name: `the base ledger of ${cluster}`, url: base }, 'getGenesisHash');
  const found = GENESIS[String(hash).slice(0, 32)] ?? 'localnet';
  if (found === named) return;
  const shown = found === 'localnet' ? 'a ledger of its own, and none of a network' : `that of ${found}`;
  throw new VerbFailure(
    'unsigned',
    'NETWORK_MISMATCH',
    `The node's ledger is ${shown}, and you named ${named}: nothing was done. Name the network with --url, and its node with --base`,
  );
}
