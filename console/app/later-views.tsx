/** Every view but the first: one file of the page, as they share more than they differ. */
export { ExplainView } from '../explain/explain-view.tsx';
export { ExplorerPlace, LedgerPlace } from './ledger-places.tsx';
export { LifePlace } from './life-place.tsx';
export { RealMoney } from '../play/real-money.tsx';
export { LoginPlace } from './login-place.tsx';
export { BooksPlace, Operations, RequestsPlace } from './service-places.tsx';
