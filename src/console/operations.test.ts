import { expect, it } from 'vitest';
import type { ConsoleState, OperationsPart } from './answers.ts';
import { operationsOf, type ShownFacilitator, spanOf } from './operations.ts';

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
  const { service, ledgers, timeTravel, snapshots } = operationsOf(STATE, null);
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
  expect(textsOf(operationsOf(STATE, null).service[1])).toEqual({
    'Bytes per request': ['1,048,576', null],
    newerLimit: ['5', null],
  });
});

it('warns about a rollup without read permissions', () => {
  const open = { ...STATE, rollup: { ...STATE.rollup, readPermissions: false } };
  expect(operationsOf(open, null).ledgers.warning).toBe('Everyone can read everything on this rollup.');
});

const FACILITATOR: ShownFacilitator = {
  url: 'http://127.0.0.1:8787/x402',
  feePayer: 'payer',
  balances: [
    { cluster: 'localnet', lamports: 1_500_000_000n },
    { cluster: 'devnet', lamports: 0n },
    { cluster: 'mainnet', lamports: null },
  ],
  payments: {
    counts: { settled: 1_200, failed: 1, expired: 0 },
    pending: 2,
    budget: { spent: 30_000n, limit: 1_000_000_000n },
  },
};

const shown = (changes: Partial<ShownFacilitator>) =>
  textsOf(operationsOf(STATE, { ...FACILITATOR, ...changes }).service[1]);

it('shows the facilitator', () => {
  expect(operationsOf(STATE, null).service.map(({ title }) => title)).toEqual(['Service', 'Limits']);
  expect(shown({})).toEqual({
    URL: ['http://127.0.0.1:8787/x402', 'url'],
    'Fee payer': ['payer', 'address'],
    'SOL on localnet': ['1500000000', 'sol'],
    'SOL on devnet': ['none: payments on its base ledger fail', 'bad'],
    'SOL on mainnet': ['unknown', 'dim'],
    'Spent in the last hour': ['30000', 'sol'],
    'Limit per hour': ['1000000000', 'sol'],
    Pending: ['2', null],
    'By this process': ['1,200 settled, 1 failed, 0 expired', null],
  });
});

it('shows unknown figures of the facilitator as unknown, and hides figures that must not be shown', () => {
  const { counts } = FACILITATOR.payments ?? {};
  expect(counts && shown({ payments: { counts, pending: null, budget: null } })).toMatchObject({
    'Spent in the last hour': ['unknown', 'dim'],
    'Limit per hour': ['unknown', 'dim'],
    Pending: ['unknown', 'dim'],
  });
  expect(Object.keys(shown({ balances: [], payments: undefined }))).toEqual(['URL', 'Fee payer']);
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
