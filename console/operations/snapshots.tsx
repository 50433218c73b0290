import { useState } from 'preact/hooks';
import type { OperationsAnswer, ShownSnapshot, SnapshotList } from '../../src/console/answers.ts';
import { useLoaded } from '../parts/loaded.tsx';
import { Button } from '../parts/button.tsx';
import { formatCount } from '../parts/decimal.ts';
import { getJson, postJson } from '../parts/service-api.ts';
import { Empty, Note } from '../parts/states.tsx';
import { clockTime } from '../parts/short-text.ts';
import { Sure } from './sure.tsx';

/** Interval and maximum number of polls for the end of a restore. It usually takes 30 ms. */
const LOOK_MS = 200;
const LOOKS_MAX = 150;

interface SnapshotsProps {
  /** The name that the user must type. */
  readonly cluster: string;
  /** Texts about snapshots and the effects of a restore. */
  readonly texts: OperationsAnswer['texts'];
  readonly onReturn: () => void;
}

/** Takes and restores snapshots of both ledgers. Restoring deletes later changes, so it asks for a name. */
export function Snapshots({ cluster, texts, onReturn }: SnapshotsProps) {
  const [round, setRound] = useState(0);
  const [fault, setFault] = useState<string | null>(null);
  const [chosen, choose] = useState<ShownSnapshot | null>(null);
  const loaded = useLoaded(readList, [round]);
  const words = loaded.state === 'failed' ? loaded.message : fault;
  const take = async (): Promise<void> => {
    setFault(null);
    await postJson('/console/api/snapshots/take', {}).catch((error: Error) => setFault(error.message));
    setRound(round + 1);
  };
  return (
    <section class="card" aria-label="Snapshots">
      <header>
        <h2>Snapshots</h2>
      </header>
      <div class="pad stack">
        <p class="muted">{texts.snapshots}</p>
        <Button onClick={() => void take()}>Take a snapshot</Button>
      </div>
      {words === null ? null : <Note kind="bad">{words}</Note>}
      {loaded.state === 'answered' ? <List snapshots={loaded.value.snapshots} onChoose={choose} /> : null}
      {chosen === null ? null : (
        <Sure
          title={`Return to slot ${formatCount(chosen.slot)}`}
          cluster={cluster}
          label="Return to this snapshot"
          act={() => returnTo(chosen.id)}
          onDone={() => {
            setRound(round + 1);
            onReturn();
          }}
          onClose={() => choose(null)}
        >
          {texts.afterReturn}
        </Sure>
      )}
    </section>
  );
}

function List({
  snapshots,
  onChoose,
}: {
  readonly snapshots: readonly ShownSnapshot[];
  readonly onChoose: (snapshot: ShownSnapshot) => void;
}) {
  if (snapshots.length === 0) return <Empty title="No snapshots yet." />;
  return (
    <ul class="list">
      {snapshots.toReversed().map((each) => (
        <li key={each.id}>
          <span class="grow">
            Slot {formatCount(each.slot)} <span class="dim small">{clockTime(each.atMs)}</span>
          </span>
          <Button onClick={() => onChoose(each)}>Return</Button>
        </li>
      ))}
    </ul>
  );
}

const readList = (): Promise<SnapshotList> => getJson('/console/api/snapshots');

/** Restores a snapshot and waits for both ledgers. The service does not respond in the meantime. */
async function returnTo(id: number): Promise<void> {
  const { returned } = await readList();
  await postJson('/console/api/snapshots/return', { id });
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const list = await readList().catch(() => null);
    if (list !== null && list.returned > returned) return;
    await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
  }
  throw new Error('The ledgers did not come back within 30 seconds.');
}
