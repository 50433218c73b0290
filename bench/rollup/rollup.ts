import { EPHEMERAL_TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { deriveEata } from '../../src/programs/ephemeral-token/pdas.ts';
import { PaymentsClient } from '../../test/external-validator/payments-client.ts';
import { signAs } from '../../clients/wallet.ts';
import { call } from '../call.ts';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { median, percentile } from '../statistics.ts';
import { markdown } from '../table.ts';
import { openContest, type Contestant } from './contestants.ts';
import { createPayer, signPayment, type Payer } from './payer.ts';
import { balanceOf, hasSucceeded, latestBlockhash, ownerOf, until } from './poll.ts';

const DEPOSIT = 100_000_000;
/** Transfers one after another, transfers at once, and undelegations, of each round. */
const SINGLE = 50;
const CROWD = 500;
const IN_FLIGHT = 32;
const UNDELEGATIONS = 3;

/** What has been seen of a rollup. */
interface Figures {
  readonly latenciesMs: number[];
  readonly perSecond: number[];
  readonly cpuMicros: number[];
  readonly releasesMs: number[];
}

/** Payments in the rollup and the way out of it. */
export const rollup: Section = {
  name: 'rollup',
  title: `Transfers in the rollup, and from an accepted undelegation to tokens that can be withdrawn`,
  run: ({ rounds }) =>
    inScope(async (scope) => {
      const { embedded, external, missing } = await openContest(scope, 'a');
      const sides = [];
      for (const contestant of external === null ? [embedded] : [embedded, external]) {
        const pair = [
          await createPayer(contestant, DEPOSIT),
          await createPayer(contestant, DEPOSIT),
        ] as const;
        const figures: Figures = { latenciesMs: [], perSecond: [], cpuMicros: [], releasesMs: [] };
        sides.push({ contestant, pair, figures });
      }
      for (let round = -1; round < rounds; round++) {
        for (const { contestant, pair, figures } of sides) {
          const latenciesMs = await payOneByOne(contestant, pair);
          const { perSecond, cpuMicros } = await payAtOnce(contestant, pair);
          const releasesMs = await undelegate(contestant);
          if (round < 0) continue;
          figures.latenciesMs.push(...latenciesMs);
          figures.perSecond.push(perSecond);
          figures.cpuMicros.push(cpuMicros);
          figures.releasesMs.push(...releasesMs);
        }
      }
      const table = markdown(sides.map(({ contestant, figures }) => toRow(contestant.name, figures)));
      const note = missing === null ? '' : `\n\nMagicBlock's validator could not run here: ${missing}.`;
      return { text: `${table}${note}` };
    }),
};

function toRow(what: string, { latenciesMs, perSecond, cpuMicros, releasesMs }: Figures) {
  return {
    what,
    'transfer to confirmed, p50 ms': median(latenciesMs).toFixed(1),
    'p99 ms': percentile(latenciesMs, 0.99).toFixed(1),
    [`transfers/s, ${IN_FLIGHT} in flight`]: median(perSecond).toFixed(0),
    'CPU us/transfer': median(cpuMicros).toFixed(0),
    'undelegated to withdrawable, p50 ms': median(releasesMs).toFixed(1),
    'most ms': Math.max(...releasesMs).toFixed(1),
  };
}

type Pair = readonly [Payer, Payer];

const WITHOUT_PREFLIGHT = { encoding: 'base64', skipPreflight: true };

/** From sending a transfer until the rollup calls it confirmed, one after another. */
async function payOneByOne({ rollupUrl }: Contestant, [from, to]: Pair): Promise<number[]> {
  const latenciesMs: number[] = [];
  const blockhash = await latestBlockhash(rollupUrl);
  for (let amount = 1; amount <= SINGLE; amount++) {
    const payment = signPayment(from, to, amount, blockhash);
    const startedMs = performance.now();
    const signature = await call<string>(rollupUrl, 'sendTransaction', [payment, WITHOUT_PREFLIGHT]);
    await until(() => hasSucceeded(rollupUrl, signature));
    latenciesMs.push(performance.now() - startedMs);
  }
  return latenciesMs;
}

/** Many transfers on some connections, from the first one sent until the recipient has them all. */
async function payAtOnce(contestant: Contestant, [from, to]: Pair) {
  const { rollupUrl, cpuMs } = contestant;
  const blockhash = await latestBlockhash(rollupUrl);
  // More than those one by one, so that none is like one of them.
  const amounts = Array.from({ length: CROWD }, (_, at) => SINGLE + 1 + at);
  const payments = amounts.map((amount) => signPayment(from, to, amount, blockhash));
  const expected = amounts.reduce((sum, amount) => sum + amount, await balanceOf(rollupUrl, to.ata));
  const [startedMs, startedCpuMs] = [performance.now(), cpuMs()];
  const send = async (): Promise<void> => {
    for (let payment = payments.pop(); payment !== undefined; payment = payments.pop()) {
      await call(rollupUrl, 'sendTransaction', [payment, WITHOUT_PREFLIGHT]);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, send));
  await until(async () => (await balanceOf(rollupUrl, to.ata)) === expected);
  return {
    perSecond: (CROWD * 1_000) / (performance.now() - startedMs),
    cpuMicros: ((cpuMs() - startedCpuMs) * 1_000) / CROWD,
  };
}

/**
 * From the moment the rollup has accepted an undelegation until the base ledger lets the owner withdraw, ms.
 */
async function undelegate(contestant: Contestant): Promise<number[]> {
  const { serviceUrl, ledgerUrl, rollupUrl } = contestant;
  const releasesMs: number[] = [];
  for (let turn = 0; turn < UNDELEGATIONS; turn++) {
    const { signer, keypair } = await createPayer(contestant, DEPOSIT);
    const eata = deriveEata(keypair.address, USDC_MINT).address;
    const terms = { payer: signer.address, mint: USDC_MINT };
    const built = await new PaymentsClient(serviceUrl).build('undelegate-ephemeral-ata', terms);
    const signed = await signAs(signer, built.transactionBase64);
    await call(rollupUrl, 'sendTransaction', [signed, WITHOUT_PREFLIGHT]);
    const acceptedMs = performance.now();
    await until(async () => (await ownerOf(ledgerUrl, eata)) === EPHEMERAL_TOKEN_PROGRAM);
    releasesMs.push(performance.now() - acceptedMs);
  }
  return releasesMs;
}
