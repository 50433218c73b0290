import { Books } from '../books/books.tsx';
import { useConsole } from '../context/console.ts';
import { Requests } from '../requests/requests.tsx';
import { useViewReader } from './use-view-reader.ts';

export { Operations } from '../operations/operations.tsx';

/** The books of one mint, or of all. */
export function BooksPlace({ mint }: { readonly mint: string | undefined }) {
  return <Books mint={mint} reader={useViewReader()} />;
}

/** The calls of the service. */
export function RequestsPlace() {
  return <Requests told={useConsole().state.value?.callsTold ?? null} />;
}
