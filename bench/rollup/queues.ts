import { HandTime } from '../../src/chain/testing/hand-time.ts';
import { mintAccount } from '../../src/ledger/genesis/mint-account.ts';
import { MemoryStore } from '../../src/ledger/store/memory-store.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { systemTimer } from '../../src/ports/timer.ts';
import { TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { Guards } from '../../src/rollup/privacy/guards.ts';
import { LayoutBScene, openLayoutBScene } from '../../src/rollup/testing/layout-b-scene.ts';
import { addressOf } from '../../src/solana/address.ts';
import type { Section } from '../section.ts';
import { median, percentile } from '../statistics.ts';
import { markdown } from '../table.ts';

const QUEUES = 20;
/** Private payments of one part without a delay, one after another, of each round. */
const PAYMENTS = 10;
const AMOUNT = 10_000n;

/** The machine's time. */
class WallTime extends HandTime {
  override now(): number {
    return Date.now();
  }

  override after(delayMs: number, run: () => void): () => void {
    return systemTimer.after(delayMs, run);
  }
}

/** Payments through transfer queues, base and rollup in one process and in memory. */
export const queues: Section = {
  name: 'queues',
  title: `Private payments from base to base, and an idle rollup with ${QUEUES} transfer queues`,
  async run({ rounds, idleMs }) {
    if (LAYOUT_B_FOLDER === null) return { text: `Not measured: it needs ${NO_LAYOUT_B}.` };
    const stores = { base: new MemoryStore(), rollup: new MemoryStore() };
    const scene = await openLayoutBScene(stores, { time: new WallTime(), concealsNames: true });
    try {
      for (let index = 1; index <= QUEUES; index++) await addQueue(scene, index);
      await scene.initializeMint();
      const cpuBefore = await idleCpu(idleMs);
      const latenciesMs = await pay(scene, rounds * PAYMENTS);
      const cpuAfter = await idleCpu(idleMs);
      const rows = {
        'from confirmed to paid, p50, ms': median(latenciesMs).toFixed(0),
        'from confirmed to paid, p95, ms': percentile(latenciesMs, 0.95).toFixed(0),
        [`CPU of a rollup with ${QUEUES + 1} empty queues, % of a core`]: cpuBefore.toFixed(2),
        'the same after the payments': cpuAfter.toFixed(2),
      };
      return {
        text: markdown(Object.entries(rows).map(([what, figure]) => ({ '': what, measured: figure }))),
      };
    } finally {
      await scene.close();
    }
  },
};

/** Makes a mint and its queue. */
async function addQueue({ base, rollup, views, time, random }: LayoutBScene, index: number): Promise<void> {
  const mint = addressOf(new Uint8Array(32).fill(index));
  await base.setAccounts([[mint, mintAccount(null, 6)]]);
  const guards = new Guards(base);
  const terms = { time, random, mint, shuttlesBefore: 0, tokenProgram: TOKEN_PROGRAM };
  const scene = new LayoutBScene(base, rollup, { guards, views }, terms);
  await scene.initializeMint();
  guards.close();
}

/** From the answer that base has a payment to its tokens being the recipient's, ms. */
async function pay(scene: LayoutBScene, count: number): Promise<number[]> {
  const payer = await scene.wallet(BigInt(count) * 2n * AMOUNT);
  const payee = await scene.wallet();
  const latenciesMs: number[] = [];
  for (let paid = 1n; paid <= BigInt(count); paid++) {
    await scene.must(scene.base, payer, ...scene.privateTransfer(payer, payee.address, AMOUNT));
    const confirmedAt = performance.now();
    while ((scene.tokens(scene.base, payee.address) ?? 0n) < paid * AMOUNT) await sleep(2);
    latenciesMs.push(performance.now() - confirmedAt);
  }
  return latenciesMs;
}

/** CPU time of this process while nothing is asked of it, % of a core. */
async function idleCpu(forMs: number): Promise<number> {
  await sleep(1_000);
  const before = process.cpuUsage();
  await sleep(forMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10 / forMs;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
