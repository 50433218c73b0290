import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { childOf } from '../../test/stack-process.ts';
import { call } from '../call.ts';
import { connectAll, sendAll } from '../load.ts';
import { memoryOf, type Memory } from '../memory.ts';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { addressIn, here, portOf, startStack, type Stack } from '../stack.ts';
import { markdown } from '../table.ts';
import { settleResidents } from './residents.ts';
import { composeTraffic, type Target, type Leg, type Traffic } from './traffic.ts';

const LEG_THOUSANDS = 20;
/** The first leg warms up; the 200,000 requests of the mark come after it. */
const LEGS = 11;
const CONNECTIONS: Readonly<Record<Target, number>> = { service: 16, ledger: 8, rollup: 4 };
const MB = 1_000_000;
/** Longer than collecting all garbage takes, and giving its pages back. */
const COLLECTING_MS = 2_000;

/** The process that serves, at one moment. */
interface Sample extends Memory {
  readonly requests: number;
  /** Of JavaScript objects, after all garbage was collected. */
  readonly heapUsed: number;
}

/** Mixed requests on one stack, and what memory it takes meanwhile. */
export const soak: Section = {
  name: 'soak',
  title: `${(LEGS - 1) * LEG_THOUSANDS * 1_000} mixed requests, after ${LEG_THOUSANDS * 1_000} to warm up`,
  run: () =>
    inScope(async ({ keep, folder }) => {
      const env = { NODE_OPTIONS: `--import=${pathToFileURL(here('soak/gc-on-signal.mjs')).href}` };
      const stack = keep(await startStack(await folder(), env, []));
      const serving = childOf(stack.pid) as number;
      const sample = async (requests: number): Promise<Sample> => {
        process.kill(serving, 'SIGUSR2');
        await sleep(COLLECTING_MS);
        const heapUsed = await heapUsedOf(stack);
        return { requests, heapUsed, ...memoryOf(serving) };
      };
      const started = await sample(0);
      const urls = { ...stack, rollupUrl: addressIn(stack.output, 'Rollup') };
      const residents = await settleResidents(urls);
      const samples: Sample[] = [];
      while (samples.length < LEGS) {
        const leg = {
          number: samples.length + 1,
          ledgerBlockhash: await blockhashOf(urls.ledgerUrl),
          rollupBlockhash: await blockhashOf(urls.rollupUrl),
        } satisfies Leg;
        await send(urls, composeTraffic(residents, leg, LEG_THOUSANDS));
        samples.push(await sample((samples.length + 1) * LEG_THOUSANDS * 1_000));
      }
      const [warm, last] = [samples[0] as Sample, samples.at(-1) as Sample];
      const growth = last.resident - warm.resident;
      const growthOfNoFile = last.anonymous - warm.anonymous;
      return {
        text: [
          markdown([started, ...samples].map(toRow)),
          `Once warm it grew by ${megabytes(growth)} MB, of which ${megabytes(growthOfNoFile)} are of no file; at its most ${megabytes(last.residentMost)} MB were resident. ${describeSupervisor(stack.pid)}`,
        ].join('\n\n'),
        figures: {
          startedBytes: started.resident,
          residentBytes: Number.isNaN(last.residentMost) ? last.resident : last.residentMost,
          growthBytes: growth,
        },
      };
    }),
};

/** Sends to all listeners at once. @throws {Error} at an answer that is not what its request asked for. */
async function send(urls: Readonly<Record<`${Target}Url`, string>>, traffic: Traffic): Promise<void> {
  const targets = Object.keys(traffic) as Target[];
  const sendings = targets.map(async (target) => {
    const requests = traffic[target].values();
    const sockets = await connectAll(portOf(urls[`${target}Url`]), CONNECTIONS[target]);
    const { firstFailure } = await sendAll(sockets, () => requests.next().value);
    if (firstFailure !== undefined) throw new Error(`${target}: ${JSON.stringify(firstFailure)}`);
  });
  await Promise.all(sendings);
}

const megabytes = (bytes: number): string => (Number.isNaN(bytes) ? '' : (bytes / MB).toFixed(1));

function toRow({ requests, resident, anonymous, heapUsed }: Sample) {
  return {
    'after requests': String(requests),
    'resident MB': megabytes(resident),
    'of no file': megabytes(anonymous),
    'of node, libraries and database': megabytes(resident - anonymous),
    'JavaScript objects': megabytes(heapUsed),
  };
}

function describeSupervisor(pid: number): string {
  const { resident, anonymous } = memoryOf(pid);
  return `The supervisor has ${megabytes(resident)} MB resident, of which ${megabytes(anonymous)} are of no file: the rest is the text of node, which both share.`;
}

async function heapUsedOf({ serviceUrl }: Stack): Promise<number> {
  const text = await (await fetch(`${serviceUrl}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1]);
}

async function blockhashOf(url: string): Promise<string> {
  return (await call<{ value: { blockhash: string } }>(url, 'getLatestBlockhash')).value.blockhash;
}
