import { useState } from 'preact/hooks';
import { useAsked } from '../parts/asked.ts';
import { Button } from '../parts/button.tsx';
import type { ConsoleState } from '../parts/console-state.ts';
import { formatCount } from '../parts/decimal.ts';
import { KeyValue } from '../parts/key-value.tsx';
import { getJson } from '../parts/service-api.ts';
import { Note, Skeleton } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Address } from '../parts/address.tsx';
import { spanOf } from '../parts/time.ts';
import { LedgerTime } from './ledger-time.tsx';
import { ResetLedger } from './reset-ledger.tsx';
import { Snapshots } from './snapshots.tsx';

/** The service as it is: how long it runs, what it holds, what it allows. */
export function Operations() {
  const [round, setRound] = useState(0);
  const asked = useAsked(() => getJson<ConsoleState>('/console/api/state'), [round]);
  return (
    <>
      <div class="head">
        <div>
          <h1>Operations</h1>
          <p>The service and its ledgers, as they are now.</p>
        </div>
        <Button onClick={() => setRound(round + 1)}>Ask again</Button>
      </div>
      {asked.state === 'answered' ? (
        <Shown state={asked.value} onChange={() => setRound(round + 1)} />
      ) : (
        <section class="card" aria-label="Service">
          {asked.state === 'failed' ? <Note kind="bad">{asked.message}</Note> : <Skeleton rows={8} />}
        </section>
      )}
    </>
  );
}

interface ShownProps {
  readonly state: ConsoleState;
  readonly onChange: () => void;
}

function Shown({ state, onChange }: ShownProps) {
  return (
    <div class="two">
      <div class="col">
        <Service state={state} />
        <Limits state={state} />
      </div>
      <div class="col">
        <Ledgers state={state} />
        {state.timeTravel ? <LedgerTime /> : null}
        {state.returned === null ? null : <Snapshots cluster={state.cluster} onReturn={onChange} />}
        {state.timeTravel ? <ResetLedger cluster={state.cluster} onReset={onChange} /> : null}
      </div>
    </div>
  );
}

/** Bytes in one MiB. */
const MIB = 2 ** 20;

function Service({ state }: { readonly state: ConsoleState }) {
  const { service, uptimeMs, memoryBytes, workers, logArguments, cluster } = state;
  return (
    <section class="card" aria-label="Service">
      <header>
        <h2>Service</h2>
      </header>
      <div class="pad">
        <KeyValue
          rows={[
            ['Version', `${service.name} ${service.version}`],
            ['Cluster', state.play ? `${cluster}, play money` : cluster],
            ['Up for', spanOf(uptimeMs)],
            ['Memory', `${formatCount(Math.round(memoryBytes / MIB))} MiB, in steps of 16`],
            ['Workers', workers === 0 ? 'none: one process serves all' : formatCount(workers)],
            ['Arguments of calls', logArguments ? 'kept on this machine' : 'not kept'],
          ]}
        />
      </div>
    </section>
  );
}

function Limits({ state }: { readonly state: ConsoleState }) {
  const limits = Object.entries(state.limits);
  if (limits.length === 0) return null;
  return (
    <section class="card" aria-label="Limits">
      <header>
        <h2>Limits</h2>
      </header>
      <div class="pad">
        <KeyValue rows={limits.map(([name, value]) => [wordsOf(name), formatCount(value)] as const)} />
      </div>
    </section>
  );
}

/** What a limit is called here; one that came later is told by its own name. */
const LIMITS: Readonly<Record<string, string>> = {
  requestBytesMax: 'Bytes of a request',
  batchCallsMax: 'Calls of a batch',
  webSocketMessageBytesMax: 'Bytes of a WebSocket message',
  subscriptionsMax: 'Subscriptions of a connection',
  connectionsPerAddress: 'Connections of an address',
  historyTransactionsMax: 'Transactions that are kept',
  slotMs: 'Length of a slot, ms',
};

const wordsOf = (name: string): string => LIMITS[name] ?? name;

function Ledgers({ state }: { readonly state: ConsoleState }) {
  const { base, rollup, health } = state;
  return (
    <section class="card" aria-label="Ledgers">
      <header>
        <h2>Ledgers</h2>
      </header>
      {rollup.kind !== 'none' && !rollup.readPermissions ? (
        <Note kind="warn">This rollup shows everything to everybody.</Note>
      ) : null}
      <div class="pad">
        <KeyValue
          rows={[
            ['Base', <Health told={health['base'] ?? null} />],
            ['Base RPC', base.url ?? 'does not listen'],
            ['Programs', base.layout === null ? 'of the cluster' : `layout ${base.layout.toUpperCase()}`],
            ['Genesis', <span class="mono small">{base.genesisHash ?? 'not known'}</span>],
            ['Rollup', rollup.kind === 'none' ? 'none' : <Health told={health['rollup'] ?? null} />],
            ['Rollup RPC', rollup.url ?? 'not shown'],
            [
              'Validator',
              rollup.identity === null ? (
                'not known'
              ) : (
                <Address address={rollup.identity} ledger="base" copy />
              ),
            ],
            ['Time travel', state.timeTravel ? 'on' : 'off'],
            ['Snapshots', state.returned === null ? 'of a localnet in memory alone' : 'on'],
          ]}
        />
      </div>
    </section>
  );
}

function Health({
  told,
}: {
  readonly told: { readonly isReady: boolean; readonly reason: string | null } | null;
}) {
  if (told === null) return <span class="dim">not told</span>;
  if (told.isReady) return <Status kind="ok">ready</Status>;
  return <Status kind="bad">{told.reason ?? 'not ready'}</Status>;
}
