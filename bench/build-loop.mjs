// What a process does that builds transactions for the benchmark: it waits to be told which builder to run
// and for how long, and answers how many transactions that made and what they cost in CPU time.
import { isOnCurve } from '../dist/solana/curve.js';
import { randomBytes } from 'node:crypto';

/**
 * The base58 addresses of the two ledgers' USDC and of the validator, and a blockhash: the same on both
 * sides.
 */
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const VALIDATOR = 'mAGicPQYBMvcYveUZA5F5UNNwyHvfYh5xkLS2Fr1mev';
export const BLOCKHASH = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N';
export const AMOUNT = 1_000_000;

/** The bytes of wallets nobody has seen before. A point of the curve is all that a builder asks of them. */
function randomWallets(count) {
  const wallets = [];
  while (wallets.length < count) {
    const bytes = new Uint8Array(randomBytes(32));
    if (isOnCurve(bytes)) wallets.push(bytes);
  }
  return wallets;
}

/**
 * Serves the parent process. A builder makes the base64 of one transaction from the base58 address of its
 * owner. Its `prepare` is told beforehand which owners a batch will have; neither that nor finding the owners
 * is measured.
 */
export function serveBuilds(builders, { addressOf, batch }) {
  process.on('message', async ({ name, durationMs, owner }) => {
    const { build, prepare = () => {} } = builders[name];
    if (owner !== undefined) {
      prepare([owner]);
      process.send({ transaction: await build(owner) });
      return;
    }
    let builds = 0;
    let cpuMicros = 0;
    const deadline = performance.now() + durationMs;
    do {
      const owners = randomWallets(batch).map(addressOf);
      prepare(owners);
      const before = process.cpuUsage();
      for (const each of owners) await build(each);
      const { user, system } = process.cpuUsage(before);
      cpuMicros += user + system;
      builds += batch;
    } while (performance.now() < deadline);
    process.send({ builds, cpuMicros });
  });
  process.send('ready');
}
