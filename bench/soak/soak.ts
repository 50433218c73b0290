import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { childOf, waitFor } from '../../test/stack-process.ts';
import { call } from '../call.ts';
import { connectAll, sendAll } from '../load.ts';
import { anonymousOf, mallocHeapOf, memoryOf, type Memory } from '../memory.ts';
import { inScope } from '../scope.ts';
import type { Findings, Section } from '../section.ts';
import { addressIn, here, portOf, startStack } from '../stack.ts';
import { markdown } from '../table.ts';
import { settleResidents } from './residents.ts';
import { composeTraffic, type Target, type Leg, type Traffic } from './traffic.ts';

const LEG_THOUSANDS = 20;
/** The first leg warms up; the 200,000 requests of the mark come after it. */
const LEGS = 11;
const CONNECTIONS: Readonly<Record<Target, number>> = { service: 16, ledger: 8, rollup: 4 };
const MB = 1_000_000;
/**
 * How long nothing is asked before a look, ms. The ledgers' databases take over what they missed 5 s after the
 * last commit, up to 4 MiB each: what waits for them comes and goes, and is no growth.
 */
const SETTLING_MS = 7_000;
/** How often memory is read while requests are sent, ms. */
const WATCHING_MS = 50;

/** What V8 has, as look-on-signal.mjs tells it, bytes. */
interface HeapLook {
  /** Of objects and code that are in use. */
  readonly objects: number;
  /** In RAM for new objects. */
  readonly young: number;
  /** In RAM for older objects and code, with what is free between them. */
  readonly old: number;
}

/** The process that serves, at one moment, once it has nothing left to do and all garbage was collected. */
interface Sample extends Memory, HeapLook {
  readonly requests: number;
  /** Anonymous but for the young generation, which V8 has at 1 or at 16 MB, whatever is alive in it, bytes. */
  readonly kept: number;
  /** Where malloc allocates, bytes. */
  readonly malloc: number;
  /** The most that was anonymous since the sample before, garbage included, bytes. */
  readonly anonymousMost: number;
}

/** Mixed requests on one stack, and what memory it takes meanwhile. */
export const soak: Section = {
  name: 'soak',
  title: `${(LEGS - 1) * LEG_THOUSANDS * 1_000} mixed requests, after ${LEG_THOUSANDS * 1_000} to warm up`,
  run: () =>
    inScope(async ({ keep, folder }) => {
      const path = await folder();
      const lookFile = join(await folder(), 'look.json');
      const env = {
        NODE_OPTIONS: `--import=${pathToFileURL(here('soak/look-on-signal.mjs')).href}`,
        SOAK_LOOK_FILE: lookFile,
      };
      const stack = keep(await startStack(path, env, []));
      const serving = childOf(stack.pid) as number;
      const sample = async (requests: number, anonymousMost: number): Promise<Sample> => {
        await setTimeout(SETTLING_MS);
        const heap = await lookAtHeap(serving, lookFile);
        const memory = memoryOf(serving);
        const kept = memory.anonymous - heap.young;
        return { requests, ...heap, ...memory, kept, malloc: mallocHeapOf(serving), anonymousMost };
      };
      const started = await sample(0, Number.NaN);
      const urls = { ...stack, rollupUrl: addressIn(stack.output, 'Rollup') };
      const residents = await settleResidents(urls);
      const samples: Sample[] = [];
      while (samples.length < LEGS) {
        const leg = {
          number: samples.length + 1,
          ledgerBlockhash: await blockhashOf(urls.ledgerUrl),
          rollupBlockhash: await blockhashOf(urls.rollupUrl),
        } satisfies Leg;
        const traffic = composeTraffic(residents, leg, LEG_THOUSANDS);
        const anonymousMost = await mostAnonymous(serving, () => send(urls, traffic));
        samples.push(await sample((samples.length + 1) * LEG_THOUSANDS * 1_000, anonymousMost));
      }
      return report(started, samples, stack.pid);
    }),
};

/** Has the process collect its garbage and tell what is left. */
async function lookAtHeap(pid: number, file: string): Promise<HeapLook> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  return JSON.parse(await waitFor(() => readFileSync(file, 'utf8'))) as HeapLook;
}

/** The most that a process has in RAM, of no file, while something is done, bytes. */
async function mostAnonymous(pid: number, act: () => Promise<void>): Promise<number> {
  let most = anonymousOf(pid);
  const watching = setInterval(() => {
    most = Math.max(most, anonymousOf(pid));
  }, WATCHING_MS);
  await act().finally(() => clearInterval(watching));
  return most;
}

function report(started: Sample, samples: readonly Sample[], supervisor: number): Findings {
  const [warm, last] = [samples[0] as Sample, samples.at(-1) as Sample];
  const growthOf = (key: 'resident' | 'anonymous' | 'kept' | 'anonymousMost') => ({
    last: last[key] - warm[key],
    greatest: Math.max(...samples.map((sample) => sample[key])) - warm[key],
  });
  const [resident, anonymous, kept, most] = [
    growthOf('resident'),
    growthOf('anonymous'),
    growthOf('kept'),
    growthOf('anonymousMost'),
  ];
  const written = ({ last: atLast, greatest }: typeof resident): string =>
    `${megabytes(atLast)} MB at the last look and ${megabytes(greatest)} at the greatest`;
  return {
    text: [
      markdown([started, ...samples].map(toRow)),
      `Once warm it grew, garbage collected, by ${written(anonymous)} of no file, by ${written(kept)} of these without the young generation, and by ${written(resident)} resident. The most of no file while requests are served grew by ${written(most)}. At its most ${megabytes(last.residentMost)} MB were resident. ${describeSupervisor(supervisor)}`,
    ].join('\n\n'),
    figures: {
      startedBytes: started.resident,
      residentBytes: Number.isNaN(last.residentMost) ? last.resident : last.residentMost,
      growthBytes: resident.last,
      keptGrowthBytes: kept.greatest,
      anonymousMostGrowthBytes: most.greatest,
    },
  };
}

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

function toRow({ requests, resident, anonymous, anonymousMost, kept, malloc, young, old, objects }: Sample) {
  return {
    'after requests': String(requests),
    'most of no file before, MB': megabytes(anonymousMost),
    'of no file': megabytes(anonymous),
    '- without V8, young': megabytes(kept),
    '- V8, old': megabytes(old),
    '- V8, young': megabytes(young),
    '- malloc': megabytes(malloc),
    '- the rest': megabytes(anonymous - malloc - young - old),
    'of node, libraries and database': megabytes(resident - anonymous),
    'JavaScript objects and code': megabytes(objects),
  };
}

function describeSupervisor(pid: number): string {
  const { resident, anonymous } = memoryOf(pid);
  return `The supervisor has ${megabytes(resident)} MB resident, of which ${megabytes(anonymous)} are of no file: the rest is the text of node, which both share.`;
}

async function blockhashOf(url: string): Promise<string> {
  return (await call<{ value: { blockhash: string } }>(url, 'getLatestBlockhash')).value.blockhash;
}
