import { useState } from 'preact/hooks';
import { wordsOf } from '../parts/asked.ts';
import { Button } from '../parts/button.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Note } from '../parts/states.tsx';
import { callBase } from './base-call.ts';

/** Slots that one press goes on by: at 400 ms a slot, an hour. */
const HOUR_SLOTS = 9_000;

/** Stops, starts and moves the clock of the base ledger. */
export function LedgerTime() {
  const [said, setSaid] = useState<{ readonly kind: 'plain' | 'bad'; readonly words: string } | null>(null);
  const run = (words: string, change: () => Promise<unknown>) => () =>
    void change().then(
      () => setSaid({ kind: 'plain', words }),
      (error: unknown) => setSaid({ kind: 'bad', words: wordsOf(error) }),
    );
  const jump = async () => {
    const slot = await callBase('getSlot', []);
    return callBase('surfnet_timeTravel', [{ absoluteSlot: Number(slot) + HOUR_SLOTS }]);
  };
  return (
    <section class="card" aria-label="Time of the base ledger">
      <header>
        <h2>Time of the base ledger</h2>
      </header>
      <div class="pad row wrap">
        <Button onClick={run('The clock stands.', () => callBase('surfnet_pauseClock', []))}>
          Stop the clock
        </Button>
        <Button onClick={run('The clock runs.', () => callBase('surfnet_resumeClock', []))}>
          Let it run
        </Button>
        <Button onClick={run(`${formatCount(HOUR_SLOTS)} slots later.`, jump)}>An hour on</Button>
      </div>
      {said === null ? null : <Note kind={said.kind}>{said.words}</Note>}
    </section>
  );
}
