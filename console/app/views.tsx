import { useConsole } from '../context/console.ts';
import { usePath } from '../parts/location.ts';
import type { Viewpoint } from '../parts/reader.ts';
import { PlayView } from '../play/play.tsx';
import { deferred } from './deferred.tsx';
import { Nowhere } from './nowhere.tsx';

/** Views other than the first come in a file of their own, so that the first waits for none of them. */
const later = () => import('./later-views.tsx');
const LifePlace = deferred(async () => (await later()).LifePlace);
const ExplainView = deferred(async () => (await later()).ExplainView);
const LedgerPlace = deferred(async () => (await later()).LedgerPlace);
const ExplorerPlace = deferred(async () => (await later()).ExplorerPlace);
const BooksPlace = deferred(async () => (await later()).BooksPlace);
const RequestsPlace = deferred(async () => (await later()).RequestsPlace);
const OperationsPlace = deferred(async () => (await later()).Operations);
const RealMoney = deferred(async () => (await later()).RealMoney);
const LoginPlace = deferred(async () => (await later()).LoginPlace);

/** Every view by its path: `/console/PLACE`, with what it is about where it has a page of its own. */
export function Views({ onLook }: { readonly onLook: (as: Viewpoint) => void }) {
  const [root, place, id, further, ...rest] = partsOf(usePath());
  if (root !== undefined && root !== 'console') return <Nowhere />;
  if (place === undefined) return <Home onLook={() => onLook('anybody')} />;
  if (further !== undefined) {
    return rest.length > 0 ? <Nowhere /> : <LedgerPlace ledger={place} what={id ?? ''} id={further} />;
  }
  switch (place) {
    case 'life':
      return <LifePlace id={id ?? ''} onLook={onLook} />;
    case 'books':
      return <BooksPlace mint={id} />;
    default:
      return id === undefined ? <PlainView place={place} /> : <Nowhere />;
  }
}

/** The tour, where money is play money or the service has not said yet. */
function Home({ onLook }: { readonly onLook: () => void }) {
  const state = useConsole().state.value;
  return state === null || state.play ? <PlayView onLook={onLook} /> : <RealMoney state={state} />;
}

/** A view that is about nothing that its path names. */
function PlainView({ place }: { readonly place: string }) {
  switch (place) {
    case 'explain':
      return <ExplainView />;
    case 'explorer':
      return <ExplorerPlace />;
    case 'requests':
      return <RequestsPlace />;
    case 'operations':
      return <OperationsPlace />;
    case 'login':
      return <LoginPlace />;
    default:
      return <Nowhere />;
  }
}

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');
