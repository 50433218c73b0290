/**
 * A localnet of the bundle in a process of its own: what a test pays for. Writes one line of JSON:
 * how long the first start took from the first line of this file, and what resets took, ms of wall and CPU
 * time; then what a reset and the first REST call after it take together.
 */
const startedAt = performance.now();
const cpuAtStart = process.cpuUsage();
const cpuMsSince = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
const { startLocalnet } = await import('../dist/bundle/localnet.js');
const localnet = await startLocalnet();
const start = { ms: performance.now() - startedAt, cpuMs: cpuMsSince(cpuAtStart) };

const alice = await localnet.createWallet({ sol: 1, tokens: 1_000_000n });
const snapshot = await localnet.snapshot();
const readsBalance = async () => {
  const query = new URLSearchParams({ address: alice.address, mint: localnet.mint });
  const response = await fetch(`${localnet.urls.service}/v1/spl/balance?${query}`);
  const { balance } = await response.json();
  if (balance !== '1000000') throw new Error(`the balance is ${balance} after a reset`);
};

async function measure(count, act) {
  const rounds = [];
  // The first rounds let the compiler have its way.
  for (let round = -3; round < count; round++) {
    // What a test does meanwhile.
    await localnet.fund(alice, { tokens: 5n });
    const [at, cpu] = [performance.now(), process.cpuUsage()];
    await act();
    if (round >= 0) rounds.push({ ms: performance.now() - at, cpuMs: cpuMsSince(cpu) });
  }
  return rounds;
}

const count = Number(process.argv[2]);
const resets = await measure(count, () => localnet.reset(snapshot));
const calls = await measure(count, async () => {
  await localnet.reset(snapshot);
  await readsBalance();
});
await localnet.close();
console.log(JSON.stringify({ start, resets, calls }));
