import { useState } from 'preact/hooks';
import type { OperationsAnswer } from '../../src/console/answers.ts';
import { Button } from '../parts/button.tsx';
import { callBase } from './base-call.ts';
import { Sure } from './sure.tsx';

export interface ResetLedgerProps {
  /** The name that has to be typed. */
  readonly cluster: string;
  /** What it takes, and what is so after it. */
  readonly told: OperationsAnswer['told'];
  readonly onReset: () => void;
}

/** Begins the base ledger anew. It takes all that is on it, so that its name has to be typed. */
export function ResetLedger({ cluster, told, onReset }: ResetLedgerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card" aria-label="Begin anew">
      <header>
        <h2>Begin anew</h2>
      </header>
      <div class="pad stack">
        <p class="muted">{told.reset}</p>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Reset the ledger
        </Button>
      </div>
      {isOpen ? (
        <Sure
          title="Reset the ledger"
          cluster={cluster}
          label="Reset it"
          act={() => callBase('surfnet_resetNetwork', [])}
          onDone={onReset}
          onClose={() => setOpen(false)}
        >
          {told.afterReset}
        </Sure>
      ) : null}
    </section>
  );
}
