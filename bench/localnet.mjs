// Starts the package's localnet as a test does: `localnet.mjs DURATION_MS`. Prints JSON with the duration of
// the start, measured from the first line of this file, and the median duration of resets, ms.
const startedAt = performance.now();
const durationMs = Number(process.argv[2]);
const { startLocalnet } = await import('../dist/bundle/localnet.js');
const localnet = await startLocalnet();
const startMs = performance.now() - startedAt;

const alice = await localnet.createWallet({ sol: 1, tokens: 1_000_000n });
const snapshot = await localnet.snapshot();
const resetsMs = [];
const endsAt = performance.now() + durationMs;
do {
  // A test changes something in the meantime.
  await localnet.fund(alice, { tokens: 5n });
  const at = performance.now();
  await localnet.reset(snapshot);
  resetsMs.push(performance.now() - at);
} while (performance.now() < endsAt);
await localnet.close();
resetsMs.sort((a, b) => a - b);
console.log(JSON.stringify({ startMs, resetMs: resetsMs[Math.floor(resetsMs.length / 2)] }));
