import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CallLog } from '../console/calls/call-log.ts';
import type { ReportedCall } from '../console/calls/logged-call.ts';
import { EventFeed } from '../console/events/event-feed.ts';
import { reportedCall } from '../console/testing/reported-call.ts';
import { HandTimer } from '../ports/testing/hand-timer.ts';
import { CallSlices } from './call-slices.ts';
import { PATIENCE } from '../ports/testing/patience.ts';

const callAt = (atMs: number, args?: object) => reportedCall({ atMs, arguments: args });

const callsFrom = (first: number, count: number, args?: object): ReportedCall[] =>
  Array.from({ length: count }, (_, at) => callAt(first + at, args));

/** Slices into a list of their own, whose turns the test takes. */
function start(logsArguments: boolean) {
  const log = new CallLog({ logsArguments });
  const turns: (() => void)[] = [];
  const slices = new CallSlices(log, { logsArguments, later: (run) => void turns.push(run) });
  const told = (): number[] => log.after(0).entries.map(({ atMs }) => atMs);
  return { log, turns, slices, told };
}

/** A client that reads the events of a list as they come, and what it has read. */
async function listenTo(log: CallLog): Promise<() => string> {
  const feed = new EventFeed({ run: 'run', timer: new HandTimer() });
  log.subscribe((data) => feed.tell({ kind: 'request', data }));
  const server = createServer((_request, response) => feed.open(response, undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    feed.close();
    server.closeAllConnections();
    server.close();
  });
  let text = '';
  get({ port: (server.address() as AddressInfo).port, agent: false }, (response) => {
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }).on('error', () => {});
  await vi.waitFor(() => expect(text).toContain('event: hello'), PATIENCE);
  return () => text;
}

it.each([
  ['with arguments (bug: it heard 121 of 150 and was reset)', true, 150],
  ['without', false, 1_000],
])('loses no call of one message for a client that reads, %s', async (_, logsArguments, count) => {
  const log = new CallLog({ logsArguments });
  const text = await listenTo(log);
  new CallSlices(log, { logsArguments }).add(callsFrom(1, count, { data: 'x'.repeat(2_000) }), 0);
  await vi.waitFor(() => expect(text()).toContain(`id: run.${count}\n`), PATIENCE);
  expect(text().match(/^event: request$/gm)).toHaveLength(count);
  expect(text()).not.toContain('event: reset');
});

it('tells some at once and the others turn by turn, those of later messages after them', () => {
  const { turns, slices, told } = start(true);
  slices.add(callsFrom(1, 20), 0);
  expect(told()).toHaveLength(16);
  slices.add(callsFrom(21, 1), 0);
  expect(told()).toHaveLength(16);
  turns.shift()?.();
  expect(told()).toEqual(Array.from({ length: 21 }, (_, at) => at + 1));
  turns.shift()?.();
  expect(turns).toEqual([]);
});

it('keeps no more calls waiting than the list has room for, and counts what it skips', () => {
  const { log, turns, slices, told } = start(true);
  slices.add(callsFrom(1, 1), 4);
  expect([log.lastSeq, told()]).toEqual([5, [1]]);
  slices.add(callsFrom(2, 1_000), 2);
  slices.add(callsFrom(1_002, 3), 0);
  for (let run = turns.shift(); run !== undefined; run = turns.shift()) run();
  expect(log.lastSeq).toBe(4 + 1_004 + 2);
  expect([told()[0], told().at(-1), told().length]).toEqual([5, 1_004, 1_000]);
});
