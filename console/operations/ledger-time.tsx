import { useEffect, useState } from 'preact/hooks';
import type { OperationsAnswer } from '../../src/console/answers.ts';
import { wordsOf } from '../parts/loaded.tsx';
import { Button } from '../parts/button.tsx';
import { formatCount } from '../parts/decimal.ts';
import { postJson } from '../parts/service-api.ts';
import { Note } from '../parts/states.tsx';
import { Sure } from './sure.tsx';

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly message?: unknown };
}

/** Calls a method of the base ledger. @throws {Error} with the ledger's message. */
async function callBase(method: string, params: readonly unknown[]): Promise<unknown> {
  const call = { jsonrpc: '2.0', id: 1, method, params };
  const { result, error } = await postJson<RpcAnswer>('/console/rpc/base', call);
  if (error === undefined) return result;
  throw new Error(typeof error.message === 'string' ? error.message : 'The ledger rejected the call.');
}

/** The part of `getEpochInfo` that every clock method returns. */
interface Now {
  readonly absoluteSlot: number;
}

/** Stops, starts and advances the clock of the base ledger. Shows its current slot. */
export function LedgerTime({ texts }: { readonly texts: OperationsAnswer['texts'] }) {
  const [said, setSaid] = useState<{ readonly kind: 'plain' | 'bad'; readonly words: string } | null>(null);
  const run = (words: string, method: string) => () =>
    void callBase(method, []).then(
      (now) => setSaid({ kind: 'plain', words: `${words} slot ${formatCount((now as Now).absoluteSlot)}.` }),
      (error: unknown) => setSaid({ kind: 'bad', words: wordsOf(error) }),
    );
  useEffect(run('Current', 'getEpochInfo'), []);
  return (
    <section class="card" aria-label="Time of the base ledger">
      <header>
        <h2>Time of the base ledger</h2>
      </header>
      <div class="pad stack">
        <p class="muted">{texts.time}</p>
        <div class="row wrap">
          <Button onClick={run('The clock stopped at', 'surfnet_pauseClock')}>Stop the clock</Button>
          <Button onClick={run('The clock runs from', 'surfnet_resumeClock')}>Start the clock</Button>
          <Button onClick={run('One hour later:', 'surfnet_timeTravel')}>Advance one hour</Button>
        </div>
      </div>
      {said === null ? null : <Note kind={said.kind}>{said.words}</Note>}
    </section>
  );
}

interface ResetLedgerProps {
  /** The name that the user must type. */
  readonly cluster: string;
  /** Texts about the reset and its effects. */
  readonly texts: OperationsAnswer['texts'];
  readonly onReset: () => void;
}

/** Resets the base ledger after the user has typed its name. */
export function ResetLedger({ cluster, texts, onReset }: ResetLedgerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card" aria-label="Reset">
      <header>
        <h2>Reset</h2>
      </header>
      <div class="pad stack">
        <p class="muted">{texts.reset}</p>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Reset the ledger
        </Button>
      </div>
      {isOpen ? (
        <Sure
          title="Reset the ledger"
          cluster={cluster}
          label="Reset"
          act={() => callBase('surfnet_resetNetwork', [])}
          onDone={onReset}
          onClose={() => setOpen(false)}
        >
          {texts.afterReset}
        </Sure>
      ) : null}
    </section>
  );
}
