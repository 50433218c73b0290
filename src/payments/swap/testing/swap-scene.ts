import { MapChain, mintData } from '../../../../test/ports/map-chain.ts';
import type { Chain } from '../../../chain/chain.ts';
import { Clusters } from '../../../chain/clusters.ts';
import { type Outcome, ScriptedTransport } from '../../../chain/testing/scripted-transport.ts';
import type { UpstreamRequest } from '../../../chain/upstream/transport.ts';
import { silentLogger } from '../../../ports/logger.ts';
import { systemRandom } from '../../../ports/random.ts';
import { NATIVE_MINT, TOKEN_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import { SwapUpstream } from '../swap-upstream.ts';

/** The URL of a swap upstream, with a token in its path. */
export const UPSTREAM_URL = new URL('https://swaps.example/private-token-123/metis//');

/** A quote of 1 SOL for 100 USDC, as an upstream answers it. */
export const QUOTE = {
  inputMint: NATIVE_MINT,
  inAmount: '1000000000',
  outputMint: USDC_MINT,
  outAmount: '100000000',
  otherAmountThreshold: '99500000',
  swapMode: 'ExactIn',
  slippageBps: 50,
  platformFee: null,
  priceImpactPct: '0.01',
  routePlan: [{ swapInfo: { ammKey: 'amm', label: 'Whirlpool' }, percent: 100 }],
  contextSlot: 299_283_763,
  timeTaken: 0.015_257_836,
};

/** Mainnet as a map of accounts with the mints of {@link QUOTE}. */
export function mapMainnet(): MapChain {
  const chain = new MapChain();
  chain.cluster = 'mainnet';
  chain.network = 'mainnet';
  for (const [mint, decimals] of [
    [NATIVE_MINT, 9],
    [USDC_MINT, 6],
  ] as const) {
    chain.put(mint, { owner: TOKEN_PROGRAM, data: mintData(decimals) });
  }
  return chain;
}

/** An answer in JSON. */
export const answerOf = (value: unknown, status = 200): Outcome => ({
  status,
  body: typeof value === 'string' ? value : JSON.stringify(value),
});

type Decide = (request: UpstreamRequest) => Outcome | Promise<Outcome>;

/** An upstream whose answers a function decides, and the requests that it received. */
export function scriptedUpstream(decide: Decide) {
  const transport = new ScriptedTransport(decide);
  const now = { after: (_ms: number, run: () => void) => (queueMicrotask(run), () => undefined) };
  const ports = {
    transport,
    clock: { now: () => 0 },
    random: systemRandom,
    timer: { after: () => () => undefined },
    pauses: now,
    logger: silentLogger,
  };
  return { upstream: new SwapUpstream(UPSTREAM_URL, ports), requests: transport.requests };
}

/** The clusters and the sources of swaps, for an operation on mainnet. */
export function mainnetSwaps(decide: Decide, chain: Chain = mapMainnet()) {
  const { upstream, requests } = scriptedUpstream(decide);
  const clusters = new Clusters([chain]);
  return { clusters, swaps: { upstream, desk: null }, random: systemRandom, requests };
}
