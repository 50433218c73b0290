import type { ComponentChildren } from 'preact';
import { Glyph } from '../parts/glyph.tsx';
import { Go } from '../parts/go.tsx';
import { Void } from '../parts/private-amount.tsx';
import { LedgerMark } from '../parts/status.tsx';

/** The first screen below the tour: one payment for three readers, and other things to try. */
export function Welcome({ isRollupPrivate }: { readonly isRollupPrivate: boolean }) {
  return (
    <div class="col gap">
      {isRollupPrivate ? <Readers /> : null}
      <section class="three-up" aria-label="More to try">
        <Door to="/console/explain" title="Catch a drainer">
          Two transactions claim to make the same deposit. One also steals. See which, before you sign.
        </Door>
        <Door to="/console/explorer" title="Explore both ledgers">
          Who paid whom, when and how much: everything that the chosen reader can see.
        </Door>
        <Door to="/console/requests" title="Watch your program">
          The calls that your program sends to this service, with results, times and code to repeat them.
        </Door>
      </section>
    </div>
  );
}

function Readers() {
  return (
    <section class="three-up" aria-label="One payment, seen by three readers">
      <Reader
        name="The base ledger"
        mark={<LedgerMark ledger="base" />}
        text="sees deposits and withdrawals, never a payment"
        cells={[NOTHING, NOTHING, NOTHING]}
      />
      <Reader
        name="Anyone on the rollup"
        mark={<Glyph name="crossed" size={18} />}
        text="sees that one transaction landed, not what it did"
        cells={[<Void />, <Void />, <Void />]}
      />
      <Reader
        name="The owner"
        mark={<Glyph name="key" size={18} />}
        text="sees everything"
        cells={['Alice to Bob', '8 USDC', 'coffee']}
        isOwner
      />
    </section>
  );
}

const NOTHING = <span class="dim">nothing</span>;
const ROWS = ['Payment', 'Amount', 'Note'] as const;

interface ReaderProps {
  readonly name: string;
  readonly mark: ComponentChildren;
  readonly text: string;
  /** The cells, one for each of {@link ROWS}. */
  readonly cells: readonly ComponentChildren[];
  readonly isOwner?: boolean;
}

function Reader({ name, mark, text, cells, isOwner = false }: ReaderProps) {
  return (
    <div class={isOwner ? 'card owned' : 'card'}>
      <header>
        {mark}
        <h2>{name}</h2>
      </header>
      <p class="pad small muted">{text}</p>
      <ul class="list">
        {ROWS.map((row, at) => (
          <li key={row}>
            <span class="muted">{row}</span>
            <b>{cells[at]}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Door({
  to,
  title,
  children,
}: {
  readonly to: string;
  readonly title: string;
  readonly children: string;
}) {
  return (
    <Go class="card pad door" to={to}>
      <b>{title}</b>
      <span class="small muted">{children}</span>
    </Go>
  );
}
