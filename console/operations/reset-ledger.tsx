import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Note } from '../parts/states.tsx';
import { callBase } from './base-call.ts';

export interface ResetLedgerProps {
  /** The name that has to be typed. */
  readonly cluster: string;
  readonly onReset: () => void;
}

/** Begins the base ledger anew. It takes all that is on it, so that its name has to be typed. */
export function ResetLedger({ cluster, onReset }: ResetLedgerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card" aria-label="Begin anew">
      <header>
        <h2>Begin anew</h2>
      </header>
      <div class="pad stack">
        <p class="muted">Takes every account and transaction of the base ledger away.</p>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Reset the ledger
        </Button>
      </div>
      {isOpen ? <Sure cluster={cluster} onReset={onReset} onClose={() => setOpen(false)} /> : null}
    </section>
  );
}

function Sure({ cluster, onReset, onClose }: ResetLedgerProps & { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    if (typed !== cluster) return;
    callBase('surfnet_resetNetwork', []).then(
      () => {
        onClose();
        onReset();
      },
      (error: unknown) => setRefused(error instanceof Error ? error.message : 'no answer'),
    );
  };
  return (
    <Sheet title="Reset the ledger" onClose={onClose}>
      <form class="stack find" onSubmit={submit}>
        <p>
          It cannot be undone. Type <b>{cluster}</b> to go on.
        </p>
        <label class="vh" for="sure">
          Name of the ledger
        </label>
        <input
          id="sure"
          type="text"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {refused === null ? null : <Note kind="bad">{refused}</Note>}
        <div class="row">
          <Button kind="danger" submit reason={typed === cluster ? undefined : `Type ${cluster} first`}>
            Reset it
          </Button>
          <Button onClick={onClose}>Keep it</Button>
        </div>
      </form>
    </Sheet>
  );
}
