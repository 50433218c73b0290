import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { call } from '../call.ts';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { onAnyCore } from '../server-process.ts';
import { addressIn, here, MAIN, stackEnv } from '../stack.ts';
import { median } from '../statistics.ts';
import { markdown, ratio } from '../table.ts';

/** The start that the mark means: what `npm start` does for the first time. */
const SUPERVISED = 'new ledger, supervised';

/** From the start of the process to the first answer, on whichever core, as a user starts it. */
export const start: Section = {
  name: 'start',
  title: 'From the start of the process to its first answer',
  run: async ({ rounds }) => {
    const kinds = [
      { name: 'bare node:http (the floor)', time: () => timeFloor() },
      { name: 'new ledger, --no-supervisor', time: () => timeNew(['--no-supervisor']) },
      { name: SUPERVISED, time: () => timeNew([]) },
      { name: 'ledger of before, --no-supervisor', time: () => timeAgain(['--no-supervisor']) },
      { name: 'ledger of before, supervised', time: () => timeAgain([]) },
    ].map((kind) => ({ ...kind, timesMs: [] as number[] }));
    for (let turn = 0; turn < rounds; turn++) {
      for (const { time, timesMs } of kinds) timesMs.push(await time());
    }
    const [floor] = kinds.map(({ timesMs }) => median(timesMs));
    const text = markdown(
      kinds.map(({ name, timesMs }) => ({
        what: name,
        'median ms': median(timesMs).toFixed(0),
        'least ms': Math.min(...timesMs).toFixed(0),
        'most ms': Math.max(...timesMs).toFixed(0),
        'to the floor': ratio(median(timesMs), floor as number),
      })),
    );
    const supervised = kinds.find(({ name }) => name === SUPERVISED);
    return { text, figures: { startMs: median(supervised?.timesMs ?? []) } };
  },
};

function timeFloor(): Promise<number> {
  return timeStart([here('echo-server.mjs')], {}, /ready (\d+)/, (output) => {
    return `http://127.0.0.1:${/ready (\d+)/.exec(output)?.[1]}/`;
  });
}

function timeNew(flags: readonly string[]): Promise<number> {
  return inScope(async ({ folder }) => timeStack(await folder(), flags));
}

function timeAgain(flags: readonly string[]): Promise<number> {
  return inScope(async ({ folder }) => {
    const path = await folder();
    await timeStack(path, flags);
    return await timeStack(path, flags);
  });
}

/** Starts the program on the ledger in a folder and stops it again; ms from its start to its first answer. */
function timeStack(folder: string, flags: readonly string[]): Promise<number> {
  return timeStart([MAIN, ...flags], stackEnv(folder), /Ready/, (output) => addressIn(output, 'Ledger node'));
}

/** Starts a server, asks it something as soon as it says that it is ready, and stops it. */
async function timeStart(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  ready: RegExp,
  urlIn: (output: string) => string,
): Promise<number> {
  const startedMs = performance.now();
  const [command, commandArgs] = onAnyCore(args);
  const child = spawn(command, commandArgs, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const output = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (ready.test(text)) resolve(text);
    });
    void exited.then(() => reject(new Error(`${args[0]} ended before it was ready`)));
  });
  await call(urlIn(output), 'getHealth');
  const tookMs = performance.now() - startedMs;
  child.kill('SIGTERM');
  await exited;
  return tookMs;
}
