import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { rpcText } from '../call.ts';
import { prepareWorkload } from '../cases.ts';
import { floorRow, startFloor } from '../floor.ts';
import { inScope } from '../scope.ts';
import type { Section, Settings } from '../section.ts';
import type { ServerProcess } from '../server-process.ts';
import { portOf, startStack } from '../stack.ts';
import { median } from '../statistics.ts';
import { markdown } from '../table.ts';

/** Connections at which throughput is at its most, and four times as many. */
const PEAK = 64;
const OVERLOAD = 4 * PEAK;

/** One request, sent again and again to one server. */
interface Load {
  readonly name: string;
  readonly server: ServerProcess;
  readonly port: number;
  readonly body: string;
}

/** What came of one round. */
interface Round {
  readonly perSecond: number;
  /** CPU time of the server for one request. */
  readonly cpuMicros: number;
  /** Answers of a status that is no success. */
  readonly refusals: number;
  /** Connections that broke, and answers that took more than 2 s. */
  readonly losses: number;
}

/**
 * What is left of the throughput under four times the connections. The generator is wrk, which has to be
 * installed.
 */
export const overload: Section = {
  name: 'overload',
  title: `${PEAK} connections and four times as many, by wrk`,
  run: (settings) =>
    inScope(async ({ keep, folder }) => {
      if (spawnSync('wrk', ['-v']).error !== undefined)
        return { text: 'Not measured: wrk is not installed.' };
      const floor = keep(await startFloor());
      const ours = keep(await startStack(await folder()));
      const scripts = await folder();
      const { port, bodies } = floorRow(floor);
      const { transfers } = await prepareWorkload(ours.ledgerUrl);
      const onLedger = { server: ours, port: portOf(ours.ledgerUrl) };
      const simulation = [transfers[0], { encoding: 'base64', replaceRecentBlockhash: true }];
      const loads: readonly Load[] = [
        { name: 'bare node:http (the floor)', server: floor, port, body: String((await bodies())[0]) },
        { ...onLedger, name: 'getSlot', body: rpcText('getSlot') },
        { ...onLedger, name: 'simulateTransaction', body: rpcText('simulateTransaction', simulation) },
      ];
      return { text: markdown(await measure(loads, scripts, settings)) };
    }),
};

async function measure(
  loads: readonly Load[],
  scripts: string,
  { rounds, roundMs }: Settings,
): Promise<Record<string, string>[]> {
  const measured = loads.map((load, at) => {
    const script = join(scripts, `${at}.lua`);
    writeFileSync(script, luaOf(load.body));
    return { load, script, atPeak: [] as Round[], over: [] as Round[] };
  });
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const { load, script, atPeak, over } of measured) {
      const at = await drive(load, script, PEAK, roundMs);
      const beyond = await drive(load, script, OVERLOAD, roundMs);
      if (round > 0) {
        atPeak.push(at);
        over.push(beyond);
      }
    }
  }
  return measured.map(({ load, atPeak, over }) => rowOf(load.name, atPeak, over));
}

function rowOf(name: string, atPeak: readonly Round[], over: readonly Round[]): Record<string, string> {
  const middle = (rounds: readonly Round[], of: keyof Round): number =>
    median(rounds.map((each) => each[of]));
  const kept = median(over.map(({ perSecond }, at) => perSecond / (atPeak[at] as Round).perSecond));
  const total = (of: keyof Round): string =>
    String([...atPeak, ...over].reduce((sum, round) => sum + round[of], 0));
  return {
    what: name,
    [`requests/s at ${PEAK}`]: middle(atPeak, 'perSecond').toFixed(0),
    [`at ${OVERLOAD}`]: middle(over, 'perSecond').toFixed(0),
    kept: `${(kept * 100).toFixed(0)} %`,
    [`CPU us/request at ${PEAK}`]: middle(atPeak, 'cpuMicros').toFixed(1),
    [`CPU us at ${OVERLOAD}`]: middle(over, 'cpuMicros').toFixed(1),
    refused: total('refusals'),
    'broken or over 2 s': total('losses'),
  };
}

async function drive(
  { server, port }: Load,
  script: string,
  connections: number,
  roundMs: number,
): Promise<Round> {
  const seconds = String(Math.max(1, Math.ceil(roundMs / 1_000)));
  const before = server.cpuMs();
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, `http://127.0.0.1:${port}/`];
  const wrk = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(wrk.stdout), once(wrk, 'close')]);
  const counts = /^counts (\d+) (\d+) (\d+) (\d+)$/m.exec(output)?.slice(1).map(Number);
  if (counts === undefined) throw new Error(`wrk said: ${output}`);
  const [requests, micros, refusals, losses] = counts as [number, number, number, number];
  const cpuMicros = ((server.cpuMs() - before) * 1_000) / requests;
  return { perSecond: (requests / micros) * 1_000_000, cpuMicros, refusals, losses };
}

/**
 * A script that POSTs `body` and says how many answers came, in how many us, and how many failed in which
 * way.
 */
function luaOf(body: string): string {
  return `wrk.method = "POST"
wrk.body = ${JSON.stringify(body)}
wrk.headers["Content-Type"] = "application/json"
function done(summary)
  local errors = summary.errors
  local losses = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("counts %d %d %d %d\\n", summary.requests, summary.duration, errors.status, losses))
end
`;
}
