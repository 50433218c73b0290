import type { ConsoleState, OperationsAnswer, OperationsFact, OperationsPart, Readiness } from './answers.ts';

const MIB = 2 ** 20;

/** The facilitator of x402 payments. Null figures could not be read. */
export interface ShownFacilitator {
  /** The URL for resource servers. */
  readonly url: string;
  /** The address that pays the network fees, base58. */
  readonly feePayer: string;
  /** The fee payer's lamports on each served cluster. */
  readonly balances: readonly { readonly cluster: string; readonly lamports: bigint | null }[];
  /** Undefined if they must not be shown. */
  readonly payments: FacilitatorPayments | undefined;
}

interface FacilitatorPayments {
  /** Number of payments that this process has brought to each final state. */
  readonly counts: Readonly<Record<'settled' | 'failed' | 'expired', number>>;
  /** Number of payments without a final state, across all replicas. */
  readonly pending: number | null;
  /** Lamports spent in the last hour, and their limit. */
  readonly budget: { readonly spent: bigint; readonly limit: bigint } | null;
}

/**
 * Formats the state for the operations view. It adds no information.
 *
 * @param facilitator null if it is off.
 */
export const operationsOf = (
  state: ConsoleState,
  facilitator: ShownFacilitator | null,
): OperationsAnswer => ({
  cluster: state.cluster,
  timeTravel: state.timeTravel,
  snapshots: state.returned !== null,
  service: [serviceOf(state), ...(facilitator === null ? [] : [facilitatorOf(facilitator)]), limitsOf(state)],
  ledgers: ledgersOf(state),
  texts: { ...TEXTS, time: timeOf(state) },
});

const TEXTS: Omit<OperationsAnswer['texts'], 'time'> = {
  reset: 'Deletes every account and transaction of the base ledger and of the rollup on top of it.',
  afterReset: 'This deletes everything on both ledgers.',
  snapshots: 'Snapshots of both ledgers. The last eight are kept, in memory.',
  afterReturn:
    'Everything that happened since then is lost for everyone, unless a later snapshot contains it. Wallets have to log in again.',
};

const timeOf = ({ limits }: ConsoleState): string =>
  `Programs on the base ledger read its clock, which has slots of ${countOf(limits['slotMs'] ?? 0)} ms and the time of day. ` +
  'While it is paused, no slots pass. Jump ahead to reach a deadline at once. It never goes back.';

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
      fact('Workers', workers === 1 ? 'none: one process serves everything' : countOf(workers)),
      fact('Call arguments', logArguments ? 'stored on this machine' : 'not stored'),
    ],
  };
}

const facilitatorOf = ({ url, feePayer, balances, payments }: ShownFacilitator): OperationsPart => ({
  title: 'Facilitator',
  warning: null,
  facts: [
    fact('URL', url, 'url'),
    fact('Fee payer', feePayer, 'address'),
    ...balances.map(({ cluster, lamports }) =>
      lamports === 0n
        ? fact(`SOL on ${cluster}`, 'none: payments on its base ledger fail', 'bad')
        : solFact(`SOL on ${cluster}`, lamports),
    ),
    ...(payments === undefined ? [] : paymentFacts(payments)),
  ],
});

function paymentFacts({ counts, pending, budget }: FacilitatorPayments): OperationsFact[] {
  const { settled, failed, expired } = counts;
  const outcomes = `${countOf(settled)} settled, ${countOf(failed)} failed, ${countOf(expired)} expired`;
  return [
    solFact('Spent in the last hour', budget && budget.spent),
    solFact('Limit per hour', budget && budget.limit),
    pending === null ? fact('Pending', 'unknown', 'dim') : fact('Pending', countOf(pending)),
    fact('By this process', outcomes),
  ];
}

const solFact = (label: string, lamports: bigint | null): OperationsFact =>
  lamports === null ? fact(label, 'unknown', 'dim') : fact(label, String(lamports), 'sol');

const limitsOf = ({ limits }: ConsoleState): OperationsPart => ({
  title: 'Limits',
  warning: null,
  facts: Object.entries(limits).map(([name, limit]) => fact(LIMITS[name] ?? name, countOf(limit))),
});

/** Labels of limits. Other limits show their own name. */
const LIMITS: Readonly<Record<string, string>> = {
  requestBytesMax: 'Bytes per request',
  batchCallsMax: 'Calls per batch',
  webSocketMessageBytesMax: 'Bytes per WebSocket message',
  subscriptionsMax: 'Subscriptions of all connections',
  connectionsPerAddress: 'Connections per address',
  historyTransactionsMax: 'Stored transactions',
  slotMs: 'Slot time, ms',
};

function ledgersOf(state: ConsoleState): OperationsPart {
  const { base, rollup, health, timeTravel, returned } = state;
  return {
    title: 'Ledgers',
    warning:
      rollup.kind !== 'none' && !rollup.readPermissions
        ? 'Everyone can read everything on this rollup.'
        : null,
    facts: [
      healthOf('Base', health.base),
      fact('Base RPC', base.url ?? 'not listening'),
      fact('Programs', base.layout === null ? 'as on the cluster' : `layout ${base.layout.toUpperCase()}`),
      fact('Genesis', base.genesisHash ?? 'unknown', 'mono'),
      rollup.kind === 'none' ? fact('Rollup', 'none') : healthOf('Rollup', health.rollup),
      fact('Rollup RPC', rollup.url ?? 'not shown'),
      rollup.identity === null ? fact('Validator', 'unknown') : fact('Validator', rollup.identity, 'address'),
      fact('Time travel', timeTravel ? 'on' : 'off'),
      fact('Snapshots', returned === null ? 'only for a localnet in memory' : 'on'),
    ],
  };
}

function healthOf(label: string, readiness: Readiness | null): OperationsFact {
  if (readiness === null) return fact(label, 'unknown', 'dim');
  return readiness.isReady ? fact(label, 'ready', 'ok') : fact(label, readiness.reason ?? 'not ready', 'bad');
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
