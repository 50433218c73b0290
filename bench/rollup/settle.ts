// A base ledger and its rollup in this process, in memory, with so many delegated eATAs of one mint:
// `settle.ts COUNT`. Told how often, it makes private transfers to wallets that then ask for their tokens,
// waits until base has them, and says what each took in CPU time, ms. What delegates the wallet's eATA again
// is not counted.
import type { Keypair } from '../../src/ledger/keypair.ts';
import { MemoryStore } from '../../src/ledger/store/memory-store.ts';
import { openScene } from '../../src/rollup/testing/rollup-scene.ts';
import { putDepositors } from './copied-deposits.ts';

/** What every depositor begins with, base units of USDC. */
const AMOUNT = 1_000_000n;
/** Wallets that are paid in turn. */
const PAYEES = 10;
const SLOT_MS = 400;
const MICROS_PER_MS = 1_000;

const count = Number(process.argv[2]);
const scene = await openScene({ base: new MemoryStore(), rollup: new MemoryStore() });
const { base, rollup } = scene;
const payer = await scene.depositor(AMOUNT);
const payees: Keypair[] = [];
while (payees.length < PAYEES) payees.push(await scene.depositor(AMOUNT));
const [model, other] = payees.map(({ address }) => address) as [Keypair['address'], Keypair['address']];
await putDepositors(scene, { model, other, amount: AMOUNT }, count - 1 - PAYEES);

let paid = 0;

process.on('message', async ({ payments }: { payments: number }) => {
  const cpuMs: number[] = [];
  while (cpuMs.length < payments) cpuMs.push(await payAndSettle(payees[paid++ % PAYEES] as Keypair));
  process.send?.({ cpuMs });
});
process.send?.('ready');

async function payAndSettle(payee: Keypair): Promise<number> {
  const had = scene.tokens(rollup, payee.address) as bigint;
  scene.clock.pass(SLOT_MS);
  const before = process.cpuUsage();
  await scene.must(rollup, payer, scene.payment(payer, payee.address, 1n));
  await scene.must(rollup, payee, scene.undelegation(payee));
  await rollup.settled();
  const { user, system } = process.cpuUsage(before);
  if (scene.eataTokens(base, payee.address) !== had + 1n) throw new Error('what was paid is not on base');
  scene.clock.pass(SLOT_MS);
  await scene.must(base, payee, ...scene.deposit(payee, 0n));
  await rollup.settled();
  return (user + system) / MICROS_PER_MS;
}
