import { useState } from 'preact/hooks';
import type { OperationsAnswer, OperationsFact, OperationsPart } from '../../src/console/answers.ts';
import { Address } from '../parts/address.tsx';
import { Sol } from '../parts/amount.tsx';
import { useLoaded } from '../parts/loaded.tsx';
import { Button } from '../parts/button.tsx';
import { Copy } from '../parts/copy.tsx';
import { KeyValue } from '../parts/key-value.tsx';
import { getJson } from '../parts/service-api.ts';
import { Note, Skeleton } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { LedgerTime, ResetLedger } from './ledger-time.tsx';
import { Snapshots } from './snapshots.tsx';

/** The state of the service and its ledgers. The service provides all texts. */
export function Operations() {
  const [round, setRound] = useState(0);
  const loaded = useLoaded(() => getJson<OperationsAnswer>('/console/api/operations'), [round]);
  return (
    <>
      <div class="head">
        <div>
          <h1>Operations</h1>
          <p>The state of the service and its ledgers.</p>
        </div>
        <Button onClick={() => setRound(round + 1)}>Refresh</Button>
      </div>
      {loaded.state === 'answered' ? (
        <Shown operations={loaded.value} onChange={() => setRound(round + 1)} />
      ) : (
        <section class="card" aria-label="Service">
          {loaded.state === 'failed' ? <Note kind="bad">{loaded.message}</Note> : <Skeleton rows={8} />}
        </section>
      )}
    </>
  );
}

interface ShownProps {
  readonly operations: OperationsAnswer;
  readonly onChange: () => void;
}

function Shown({ operations, onChange }: ShownProps) {
  const { service, ledgers, cluster, snapshots, timeTravel, texts } = operations;
  return (
    <div class="two">
      <div class="col">
        {service.map((part) => (
          <Part key={part.title} part={part} />
        ))}
      </div>
      <div class="col">
        <Part part={ledgers} />
        {timeTravel ? <LedgerTime texts={texts} /> : null}
        {snapshots ? <Snapshots cluster={cluster} texts={texts} onReturn={onChange} /> : null}
        {timeTravel ? <ResetLedger cluster={cluster} texts={texts} onReset={onChange} /> : null}
      </div>
    </div>
  );
}

function Part({ part: { title, warning, facts } }: { readonly part: OperationsPart }) {
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {warning === null ? null : <Note kind="warn">{warning}</Note>}
      <div class="pad">
        <KeyValue rows={facts.map((fact) => [fact.label, <Fact {...fact} />])} />
      </div>
    </section>
  );
}

function Fact({ text, kind }: OperationsFact) {
  switch (kind) {
    case 'ok':
    case 'bad':
      return <Status kind={kind}>{text}</Status>;
    case 'address':
      return <Address address={text} ledger="base" copy />;
    case 'sol':
      return <Sol lamports={BigInt(text)} />;
    case 'url':
      return (
        <>
          <span class="mono small">{text}</span> <Copy text={text} what="URL" />
        </>
      );
    default:
      return <span class={kind === 'mono' ? 'mono small' : (kind ?? '')}>{text}</span>;
  }
}
