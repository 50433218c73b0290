import { useEffect, useState } from 'preact/hooks';
import type { OperationsAnswer } from '../../src/console/answers.ts';
import { wordsOf } from '../parts/asked.ts';
import { Button } from '../parts/button.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Note } from '../parts/states.tsx';
import { callBase } from './base-call.ts';

/** What each of these calls answers, of `getEpochInfo`. */
interface Now {
  readonly absoluteSlot: number;
}

/** Stops, starts and moves the clock of the base ledger, and says at which slot it is. */
export function LedgerTime({ told }: { readonly told: OperationsAnswer['told'] }) {
  const [said, setSaid] = useState<{ readonly kind: 'plain' | 'bad'; readonly words: string } | null>(null);
  const run = (words: string, method: string) => () =>
    void callBase(method, []).then(
      (now) => setSaid({ kind: 'plain', words: `${words} slot ${formatCount((now as Now).absoluteSlot)}.` }),
      (error: unknown) => setSaid({ kind: 'bad', words: wordsOf(error) }),
    );
  useEffect(run('Opened at', 'getEpochInfo'), []);
  return (
    <section class="card" aria-label="Time of the base ledger">
      <header>
        <h2>Time of the base ledger</h2>
      </header>
      <div class="pad stack">
        <p class="muted">{told.time}</p>
        <div class="row wrap">
          <Button onClick={run('The clock stands at', 'surfnet_pauseClock')}>Stop the clock</Button>
          <Button onClick={run('The clock runs from', 'surfnet_resumeClock')}>Let it run</Button>
          <Button onClick={run('An hour later, at', 'surfnet_timeTravel')}>Go one hour ahead</Button>
        </div>
      </div>
      {said === null ? null : <Note kind={said.kind}>{said.words}</Note>}
    </section>
  );
}
