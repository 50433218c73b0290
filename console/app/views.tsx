import type { FunctionComponent } from 'preact';
import { useConsole } from '../context/console.ts';
import { usePath } from '../parts/location.ts';
import type { Viewpoint } from '../parts/reader.ts';
import { PlayView } from '../play/play.tsx';
import { deferred } from './deferred.tsx';
import type * as AllLaterViews from './later-views.tsx';
import { Nowhere } from './nowhere.tsx';

type LaterViews = typeof AllLaterViews;

/** Views other than the first come in a file of their own, so that the first waits for none of them. */
const later = <Props extends object>(viewIn: (views: LaterViews) => FunctionComponent<Props>) =>
  deferred(async () => viewIn(await import('./later-views.tsx')));
const LifePlace = later((views) => views.LifePlace);
const LedgerPlace = later((views) => views.LedgerPlace);
const BooksPlace = later((views) => views.BooksPlace);
const RealMoney = later((views) => views.RealMoney);

/** Views that are about nothing that their path names. */
const PLAIN: ReadonlyMap<string, FunctionComponent> = new Map([
  ['explain', later((views) => views.ExplainView)],
  ['explorer', later((views) => views.ExplorerPlace)],
  ['requests', later((views) => views.RequestsPlace)],
  ['operations', later((views) => views.Operations)],
  ['login', later((views) => views.LoginPlace)],
]);

/** Every view by its path: `/console/PLACE`, with what it is about where it has a page of its own. */
export function Views({ onLook }: { readonly onLook: (as: Viewpoint) => void }) {
  const [root, place, id, further, ...rest] = partsOf(usePath());
  if (root !== undefined && root !== 'console') return <Nowhere />;
  if (place === undefined) return <Home onLook={() => onLook('anybody')} />;
  if (further !== undefined) {
    return rest.length > 0 ? <Nowhere /> : <LedgerPlace ledger={place} what={id ?? ''} id={further} />;
  }
  if (place === 'life') return <LifePlace id={id ?? ''} onLook={onLook} />;
  if (place === 'books') return <BooksPlace mint={id} />;
  const Plain = (id === undefined && PLAIN.get(place)) || Nowhere;
  return <Plain />;
}

/** The tour, where money is play money or the service has not said yet. */
function Home({ onLook }: { readonly onLook: () => void }) {
  const state = useConsole().state.value;
  return state === null || state.play ? <PlayView onLook={onLook} /> : <RealMoney state={state} />;
}

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');
