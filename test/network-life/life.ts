import { makeMints, type Mints } from './mints.ts';
import { Network, type Crash } from './network.ts';
import { note, step } from './report.ts';
import { SCENARIOS } from './scenarios.ts';
import type { NetworkStack } from './stack.ts';
import { checkVault } from './vault.ts';

/** Runs every scenario once on a new stack. Returns all final balances ({@link readBalances}). */
export async function playLife(stack: NetworkStack): Promise<string[]> {
  const [network, mints] = await begin(stack);
  await playRound(network, mints);
  return await readBalances(network, mints);
}

/** Runs every scenario with a kill -9 at a step that the seed selects. */
export async function playLifeWithCrash(stack: NetworkStack, seed: number): Promise<void> {
  const [network, mints] = await begin(stack);
  network.crash = crashOf(seed, network.sent);
  await playRound(network, mints);
  if (network.sent < network.crash.at) throw new Error('the kill was to be at a later step');
}

async function begin(stack: NetworkStack): Promise<[Network, Mints]> {
  const network = await Network.open(stack);
  await network.airdrop(stack.sponsor, 10_000_000_000n);
  step('Mints are made ready for private payments');
  return [network, await makeMints(network)];
}

/** Runs all scenarios in order, then verifies all balances again. */
async function playRound(network: Network, mints: Mints): Promise<void> {
  for (const { title, play } of SCENARIOS) {
    step(title);
    const started = performance.now();
    await play(network, mints);
    note('took', `${Math.round(performance.now() - started)} ms`);
  }
  step('All balances once more, and the vaults');
  await network.checkAll();
  for (const mint of Object.values(mints)) await checkVault(network, mint);
}

/**
 * Reads the balances of all persons, one line for each person and mint. Every rollup has the same result,
 * including lamports, except for the random distribution among the keys of a stealth handle.
 */
async function readBalances(network: Network, mints: Mints): Promise<string[]> {
  const lines: string[] = [];
  for (const mint of Object.values(mints)) {
    for (const [person] of network.holdersOf(mint)) {
      const base = await network.tokens(person, mint, 'base');
      const rollup = await network.tokens(person, mint, 'rollup');
      const lamports = await network.lamportsOf(person.address);
      lines.push(
        `${person.name}: ${base} ${mint.name} on base, ${rollup} on the rollup, ${lamports} lamports`,
      );
    }
  }
  return lines;
}

/** Longest time between a transaction and the kill, in ms: a payment of one part takes about that long. */
const DELAY_MS_MAX = 1_500;

/** Minimum number of transactions in a round. */
const SENT_IN_ROUND = 30;

/**
 * Returns a crash at a transaction after the first `before`. The same seed returns the same crash.
 */
function crashOf(seed: number, before: number): Crash {
  const draw = drawsOf(seed);
  return { at: before + 1 + Math.floor(draw() * SENT_IN_ROUND), delayMs: Math.floor(draw() * DELAY_MS_MAX) };
}

/** Returns a generator of numbers from 0 to below 1 (mulberry32). */
function drawsOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
