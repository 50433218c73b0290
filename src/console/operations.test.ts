import { expect, it } from 'vitest';
import type { ConsoleState, OperationsPart } from './answers.ts';
import { operationsOf, spanOf } from './operations.ts';

const STATE: ConsoleState = {
  service: { name: 'spl-private-payments', version: '1.2.3' },
  cluster: 'localnet',
  play: true,
  base: {
    url: 'http://127.0.0.1:8899',
    layout: 'a',
    notHere: '',
    genesisHash: 'genesis',
    programs: [],
  },
  rollup: { kind: 'embedded', url: null, identity: 'validator', readPermissions: true },
  commonPrograms: [],
  mints: [],
  logArguments: false,
  callTexts: { list: '', call: null, none: '' },
  failures: {},
  health: { base: { isReady: true, reason: null }, rollup: { isReady: false, reason: 'it settles' } },
  uptimeMs: 3_725_000,
  memoryBytes: 96 * 2 ** 20,
  workers: 1,
  limits: { requestBytesMax: 1_048_576, newerLimit: 5 },
  timeTravel: true,
  returned: null,
};

const textsOf = (part: OperationsPart | undefined) =>
  Object.fromEntries((part?.facts ?? []).map(({ label, text, kind }) => [label, [text, kind]]));

it('writes the state as texts', () => {
  const { service, ledgers, timeTravel, snapshots } = operationsOf(STATE);
  expect(textsOf(service[0])).toMatchObject({
    Version: ['spl-private-payments 1.2.3', null],
    Cluster: ['localnet, play money', null],
    'Up for': ['1 h 2 min', null],
    Memory: ['96 MiB, in steps of 16', null],
    Workers: ['none: one process serves everything', null],
  });
  expect(textsOf(ledgers)).toMatchObject({
    Base: ['ready', 'ok'],
    Rollup: ['it settles', 'bad'],
    'Rollup RPC': ['not shown', null],
    Validator: ['validator', 'address'],
    Snapshots: ['only for a localnet in memory', null],
  });
  expect([timeTravel, snapshots, ledgers.warning]).toEqual([true, false, null]);
});

it('shows a limit without a label by its name', () => {
  expect(textsOf(operationsOf(STATE).service[1])).toEqual({
    'Bytes per request': ['1,048,576', null],
    newerLimit: ['5', null],
  });
});

it('warns about a rollup without read permissions', () => {
  const open = { ...STATE, rollup: { ...STATE.rollup, readPermissions: false } };
  expect(operationsOf(open).ledgers.warning).toBe('Everyone can read everything on this rollup.');
});

it('writes a duration in its two largest units', () => {
  expect([0, 12_000, 3_600_000, 3_725_000, 90_061_000].map(spanOf)).toEqual([
    '0 s',
    '12 s',
    '1 h',
    '1 h 2 min',
    '1 d 1 h',
  ]);
});
