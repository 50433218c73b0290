import type { FunctionComponent } from 'preact';
import { Books } from '../books/books.tsx';
import { useConsole } from '../context/console.ts';
import { ExplainView } from '../explain/explain-view.tsx';
import { AccountView } from '../explorer/account.tsx';
import { BlockView } from '../explorer/block.tsx';
import { Explorer } from '../explorer/explorer.tsx';
import { TransactionView } from '../explorer/transaction.tsx';
import { LifeView } from '../life/life.tsx';
import { Operations } from '../operations/operations.tsx';
import { Go } from '../parts/go.tsx';
import { usePath } from '../parts/location.ts';
import type { Ledger, Viewpoint } from '../parts/reader.ts';
import { Empty } from '../parts/states.tsx';
import { buildExample } from '../play/examples.ts';
import { usePlay } from '../play/play-context.ts';
import { PlayView } from '../play/play.tsx';
import { RealMoney } from '../play/real-money.tsx';
import { Requests } from '../requests/requests.tsx';
import { LoginPlace } from './login-place.tsx';
import { useViewReader } from './viewpoint.ts';

/** Views without a parameter in their path. */
const PLAIN: ReadonlyMap<string, FunctionComponent> = new Map([
  ['explain', ExplainPlace],
  ['explorer', ExplorerPlace],
  ['requests', RequestsPlace],
  ['operations', Operations],
  ['login', LoginPlace],
]);

/** Shows the view of the current path. */
export function Views({ onLook }: { readonly onLook: (as: Viewpoint) => void }) {
  const [root, place, id, further, ...rest] = partsOf(usePath());
  if (root !== undefined && root !== 'console') return <Nowhere />;
  if (place === undefined) return <Home onLook={() => onLook('anyone')} />;
  if (further !== undefined) {
    return rest.length > 0 ? <Nowhere /> : <LedgerPlace ledger={place} what={id ?? ''} id={further} />;
  }
  if (place === 'life') return <LifePlace id={id ?? ''} onLook={onLook} />;
  if (place === 'books') return <BooksPlace mint={id} />;
  const Plain = (id === undefined && PLAIN.get(place)) || Nowhere;
  return <Plain />;
}

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');

/** The start page: the tour, or the page for real money. */
function Home({ onLook }: { readonly onLook: () => void }) {
  const state = useConsole().state.value;
  return state === null || state.play ? <PlayView onLook={onLook} /> : <RealMoney state={state} />;
}

/** The explain view. Its examples need play money. */
function ExplainPlace() {
  const console = useConsole();
  const isRealMoney = console.state.value?.play === false;
  return <ExplainView buildExample={isRealMoney ? null : (example) => buildExample(console, example)} />;
}

/** The explorer for the current viewpoint. */
function ExplorerPlace() {
  return <Explorer reader={useViewReader()} state={useConsole().state.value} />;
}

/** A transaction, an account or a block of one ledger. */
function LedgerPlace({ ledger, what, id }: Readonly<Record<'ledger' | 'what' | 'id', string>>) {
  const reader = useViewReader();
  if (!isLedger(ledger)) return <Nowhere />;
  switch (what) {
    case 'tx':
      return <TransactionView ledger={ledger} signature={id} reader={reader} />;
    case 'account':
      return <AccountView ledger={ledger} address={id} reader={reader} />;
    case 'block':
      return <BlockView ledger={ledger} slot={id} reader={reader} />;
    default:
      return <Nowhere />;
  }
}

const isLedger = (text: string): text is Ledger => text === 'base' || text === 'rollup';

interface LifePlaceProps {
  readonly id: string;
  readonly onLook: (as: Viewpoint) => void;
}

/** The life of a payment. */
function LifePlace({ id, onLook }: LifePlaceProps) {
  const play = usePlay();
  const activity = play.activity.value;
  return (
    <LifeView
      id={id}
      accounts={play.accounts.value}
      ownPayment={play.progress.value.paid?.signature ?? null}
      settling={activity.kind === 'settling' ? activity.wallet : null}
      onOwner={() => onLook('owner')}
    />
  );
}

/** The books of one mint, or of all mints. */
function BooksPlace({ mint }: { readonly mint: string | undefined }) {
  return <Books mint={mint} reader={useViewReader()} />;
}

/** The calls of the service. */
function RequestsPlace() {
  return <Requests texts={useConsole().state.value?.callTexts ?? null} />;
}

/** The page for unknown paths. */
function Nowhere() {
  return (
    <section class="card">
      <Empty title="This page does not exist.">
        <Go class="btn" to="/console/">
          Go to the start
        </Go>
      </Empty>
    </section>
  );
}
