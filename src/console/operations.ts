import type { ConsoleState, OperationsAnswer, OperationsFact, OperationsPart, Readiness } from './answers.ts';

const MIB = 2 ** 20;

/** Writes the state for the operations view. It shows nothing that the state does not. */
export const operationsOf = (state: ConsoleState): OperationsAnswer => ({
  cluster: state.cluster,
  timeTravel: state.timeTravel,
  snapshots: state.returned !== null,
  service: [serviceOf(state), limitsOf(state)],
  ledgers: ledgersOf(state),
  told: { ...TOLD, time: timeOf(state) },
});

const TOLD: Omit<OperationsAnswer['told'], 'time'> = {
  reset: 'Takes every account and transaction of the base ledger away, and of the rollup on top of it.',
  afterReset: 'Everything on both is gone then.',
  snapshots: 'Both ledgers as they are, the last eight, in memory.',
  afterReturn:
    'What happened on both ledgers since then and is in no later snapshot is gone, for everybody. Wallets have to log in again.',
};

const timeOf = ({ limits }: ConsoleState): string =>
  `Programs on base read its clock, which counts slots of ${countOf(limits['slotMs'] ?? 0)} ms and tells the time of day. ` +
  'Stop it, and no slot passes by itself. Go ahead, and what waits for a time has reached it. It never goes back.';

const fact = (label: string, text: string, kind: OperationsFact['kind'] = null): OperationsFact => ({
  label,
  text,
  kind,
});

const countOf = (count: number): string => count.toLocaleString('en-US');

function serviceOf(state: ConsoleState): OperationsPart {
  const { service, uptimeMs, memoryBytes, workers, logArguments, cluster } = state;
  return {
    title: 'Service',
    warning: null,
    facts: [
      fact('Version', `${service.name} ${service.version}`),
      fact('Cluster', state.play ? `${cluster}, play money` : cluster),
      fact('Up for', spanOf(uptimeMs)),
      fact('Memory', `${countOf(Math.round(memoryBytes / MIB))} MiB, in steps of 16`),
      fact('Workers', workers === 1 ? 'none: one process serves all' : countOf(workers)),
      fact('Arguments of calls', logArguments ? 'kept on this machine' : 'not kept'),
    ],
  };
}

const limitsOf = ({ limits }: ConsoleState): OperationsPart => ({
  title: 'Limits',
  warning: null,
  facts: Object.entries(limits).map(([name, limit]) => fact(LIMITS[name] ?? name, countOf(limit))),
});

/** Labels of limits; others show their own name. */
const LIMITS: Readonly<Record<string, string>> = {
  requestBytesMax: 'Bytes of a request',
  batchCallsMax: 'Calls of a batch',
  webSocketMessageBytesMax: 'Bytes of a WebSocket message',
  subscriptionsMax: 'Subscriptions of all connections',
  connectionsPerAddress: 'Connections of an address',
  historyTransactionsMax: 'Transactions that are kept',
  slotMs: 'Length of a slot, ms',
};

function ledgersOf(state: ConsoleState): OperationsPart {
  const { base, rollup, health, timeTravel, returned } = state;
  return {
    title: 'Ledgers',
    warning:
      rollup.kind !== 'none' && !rollup.readPermissions ? 'This rollup shows everything to everybody.' : null,
    facts: [
      healthOf('Base', health.base),
      fact('Base RPC', base.url ?? 'does not listen'),
      fact('Programs', base.layout === null ? 'of the cluster' : `layout ${base.layout.toUpperCase()}`),
      fact('Genesis', base.genesisHash ?? 'not known', 'mono'),
      rollup.kind === 'none' ? fact('Rollup', 'none') : healthOf('Rollup', health.rollup),
      fact('Rollup RPC', rollup.url ?? 'not shown'),
      rollup.identity === null
        ? fact('Validator', 'not known')
        : fact('Validator', rollup.identity, 'address'),
      fact('Time travel', timeTravel ? 'on' : 'off'),
      fact('Snapshots', returned === null ? 'of a localnet in memory alone' : 'on'),
    ],
  };
}

function healthOf(label: string, told: Readiness | null): OperationsFact {
  if (told === null) return fact(label, 'not told', 'dim');
  return told.isReady ? fact(label, 'ready', 'ok') : fact(label, told.reason ?? 'not ready', 'bad');
}

/** Writes a duration in its two largest units: `3 d 4 h`, `12 s`. */
export function spanOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const units = [
    ['d', Math.floor(seconds / 86_400)],
    ['h', Math.floor(seconds / 3_600) % 24],
    ['min', Math.floor(seconds / 60) % 60],
    ['s', seconds % 60],
  ] as const;
  const from = units.findIndex(([, count]) => count > 0);
  if (from < 0) return '0 s';
  return units
    .slice(from, from + 2)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count} ${unit}`)
    .join(' ');
}
