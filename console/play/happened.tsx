import { DeedSentence } from '../history/deed-sentence.tsx';
import type { Deed } from '../history/deed.ts';
import { MintAmount, Sol } from '../parts/amount.tsx';
import { formatCount, formatDecimal } from '../parts/decimal.ts';
import { Glyph } from '../parts/glyph.tsx';
import { Go } from '../parts/go.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { LedgerMark, Status } from '../parts/status.tsx';
import { PrivateAmount, Void } from '../parts/private-amount.tsx';
import type { Viewpoint } from '../parts/reader.ts';
import { Signature } from '../parts/signature.tsx';
import { Note, Skeleton } from '../parts/states.tsx';
import type { Happenings } from './happenings.ts';

/** Maximum rows. The explorer shows all transactions. */
const ROWS_MAX = 12;

interface HappenedProps {
  readonly as: Viewpoint;
  /** The transactions; null while loading. */
  readonly happenings: Happenings | null;
  readonly mint: string;
  /** The current time, seconds since 1970. */
  readonly nowS: number;
}

/** The transactions of the wallets that one reader sees. */
export function Happened({ as, happenings, mint, nowS }: HappenedProps) {
  return (
    <section class="card" aria-label="What happened">
      <header>
        <h2>What happened</h2>
        <Go class="btn quiet" to="/console/explorer">
          All transactions
        </Go>
      </header>
      {happenings === null ? (
        <Skeleton rows={4} />
      ) : (
        <>
          {happenings.fault === null ? null : <Note kind="bad">{happenings.fault}</Note>}
          <ul class="list hap">
            <Unseen as={as} count={happenings.rollupCount} />
            {happenings.deeds.slice(0, ROWS_MAX).map((deed) => (
              <Row deed={deed} mint={mint} nowS={nowS} key={`${deed.ledger} ${deed.signature}`} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** The row for hidden payments, unless the owner reads. */
function Unseen({ as, count }: { readonly as: Viewpoint; readonly count: number | null }) {
  if (as === 'owner' || (as === 'anyone' && (count ?? 0) === 0)) return null;
  const isBase = as === 'base';
  return (
    <li class="payrow">
      <LedgerMark ledger="rollup" />
      <div>
        <span class="muted">{isBase ? 'No payments' : 'Something happened on the rollup'}</span>
        <div class="tiny dim">
          {isBase ? 'the base ledger does not show them' : `${countWords(count)}, all hidden`}
        </div>
      </div>
      <div class="right">
        {isBase ? <PrivateAmount cell={{ state: 'nothing' }} place="row" /> : <Void place="row" />}
      </div>
      <div class="right when small dim" />
    </li>
  );
}

const countWords = (count: number | null): string =>
  count === null ? 'transactions' : `${formatCount(count)} ${count === 1 ? 'transaction' : 'transactions'}`;

function Row({ deed, mint, nowS }: { readonly deed: Deed; readonly mint: string; readonly nowS: number }) {
  const isPrivate = deed.ledger === 'rollup';
  return (
    <li class={isPrivate ? 'payrow' : ''}>
      <LedgerMark ledger={deed.ledger} />
      <div>
        <DeedSentence deed={deed} />{' '}
        {deed.memo === null ? null : <Memo text={deed.memo} isPrivate={isPrivate} />}{' '}
        {deed.hasFailed ? <Status kind="bad">failed</Status> : null}
        <div class="tiny dim">
          slot {formatCount(deed.slot)} · <Signature signature={deed.signature} ledger={deed.ledger} />
          {isPrivate
            ? ` · ${deed.computeUnits === null ? '' : `${formatCount(deed.computeUnits)} compute units · `}no fee`
            : ` · fee ${formatDecimal(deed.feeLamports, 9)} SOL`}
        </div>
      </div>
      <div class="right">
        <DeedAmount deed={deed} mint={mint} />
      </div>
      <div class="right when small dim">{agoWords(nowS, deed.time)}</div>
    </li>
  );
}

function Memo({ text, isPrivate }: { readonly text: string; readonly isPrivate: boolean }) {
  if (!isPrivate) {
    return (
      <span class="dim small">
        <HostileText text={text} />
      </span>
    );
  }
  return (
    <span class="st own">
      <Glyph name="key" />
      <HostileText text={text} />
    </span>
  );
}

function DeedAmount({ deed, mint }: { readonly deed: Deed; readonly mint: string }) {
  const { amount, kind, ledger } = deed;
  if (amount === null) return null;
  if (kind === 'airdrop' && deed.mint === null) return <Sol lamports={amount} />;
  const figure = (
    <MintAmount base={amount} mint={deed.mint === null || deed.mint === '' ? mint : deed.mint} />
  );
  return ledger === 'base' ? (
    figure
  ) : (
    <span class="pv row">
      <span class="v">{figure}</span>
    </span>
  );
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** Formats the age of a transaction in the largest unit that fits. */
export function agoWords(nowS: number, time: number | null): string {
  if (time === null) return '';
  const seconds = Math.max(0, nowS - time);
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(seconds / length)} ${unit} ago`;
}
