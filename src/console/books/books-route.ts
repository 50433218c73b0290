import { createReadRoute, type ApiRoute } from '../api-route.ts';
import type { Books } from './books.ts';

/** `GET /console/api/books?after=<mint>`: the books of every mint, a page at a time. */
export function createBooksRoute(books: Pick<Books, 'after'>): ApiRoute {
  return createReadRoute('/console/api/books', (query) => books.after(query.get('after')));
}
