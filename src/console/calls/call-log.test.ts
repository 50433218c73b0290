import { expect, it } from 'vitest';
import type { LoggedCall } from '../answers.ts';
import { reportedCall } from '../testing/reported-call.ts';
import { CallLog, type ReportedCall } from './call-log.ts';

const callAt = (atMs: number, call: Partial<ReportedCall> = {}) =>
  reportedCall({
    atMs,
    door: 'base',
    call: 'sendTransaction',
    ms: 1.234_567,
    requestBytes: 47,
    responseBytes: 40,
    arguments: ['3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb'],
    ...call,
  });

it('lists calls with a number and without arguments', () => {
  const log = new CallLog({ logsArguments: false });
  log.add(callAt(5));
  expect(log.after(0)).toEqual({
    entries: [
      {
        seq: 1,
        atMs: 5,
        door: 'base',
        call: 'sendTransaction',
        status: 200,
        code: null,
        ms: 1.23,
        requestBytes: 47,
        responseBytes: 40,
        requestId: null,
      },
    ],
    dropped: 0,
  });
});

it('shows no trace of a private call, not even a gap in the numbers', () => {
  const log = new CallLog({ logsArguments: false });
  log.add(callAt(1));
  log.add(callAt(2, { hasToken: true }));
  log.add(callAt(3, { door: 'rollup', call: 'sendTransaction' }));
  log.add(callAt(4));
  expect(log.after(0).entries.map(({ seq, atMs }) => [seq, atMs])).toEqual([
    [1, 1],
    [2, 4],
  ]);
});

it('lists every call with arguments if enabled, but never credentials', () => {
  const log = new CallLog({ logsArguments: true });
  const login = { pubkey: 'a', challenge: 'sign this', signature: '5VERv', token: 't' };
  log.add(callAt(1, { hasToken: true, door: 'rest', call: 'spl.login', arguments: login }));
  log.add(
    callAt(2, { arguments: ['https://a.example/?token=abc&x=1', 'Bearer abc', { mint: 'EPj', n: 1n }] }),
  );
  log.add(callAt(3, { arguments: [new Map([['commitment', 'confirmed']])] }));
  log.add(callAt(4, { arguments: ['x'.repeat(5_000)] }));
  log.add(callAt(5, { arguments: undefined }));
  expect(log.after(0).entries.map((call) => call.arguments)).toEqual([
    { pubkey: 'a', challenge: '<secret>', signature: '<secret>', token: '<secret>' },
    ['https://a.example/?token=<secret>&x=1', 'Bearer <secret>', { mint: 'EPj', n: '1' }],
    [{ commitment: 'confirmed' }],
    { omitted: 'they are 5004 characters long' },
    null,
  ]);
});

it('stores the last 1,000, counts dropped ones, and limits calls of the page', () => {
  const log = new CallLog({ logsArguments: true });
  for (let at = 1; at <= 900; at += 1) log.add(callAt(at));
  for (let at = 901; at <= 1_400; at += 1) log.add(callAt(at, { isOwn: true }));
  const { entries, dropped } = log.after(0);
  expect(entries).toHaveLength(1_000);
  expect(dropped).toBe(400);
  expect(entries.filter(({ own }) => own === true)).toHaveLength(250);
  expect(entries.filter(({ own }) => own !== true)).toHaveLength(750);
  expect(log.after(1_399)).toMatchObject({ entries: [{ seq: 1_400 }], dropped: 0 });
  expect(log.after(1_400)).toEqual({ entries: [], dropped: 0 });
  expect(log.after(9_999)).toEqual({ entries: [], dropped: 0 });
});

it('notifies subscribers until they unsubscribe', () => {
  const log = new CallLog({ logsArguments: false });
  const heard: LoggedCall[] = [];
  const stop = log.subscribe((call) => heard.push(call));
  log.add(callAt(1));
  log.add(callAt(2, { hasToken: true }));
  stop();
  log.add(callAt(3));
  expect(heard.map(({ atMs }) => atMs)).toEqual([1]);
});
