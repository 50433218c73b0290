import type { Route, RouteHandler } from '../service/front.ts';
import { type PageFiles, serveAsset, servePage } from '../service/page-files.ts';

/**
 * Creates the routes of the payment page. The page is the same at every address, so it does not reveal which
 * orders and links exist. Its script reads them from the API.
 *
 * @param files the page; null if it is not built.
 */
export function createPageRoutes(files: PageFiles | null): readonly Route[] {
  const at = (path: string, GET: RouteHandler): Route => ({ path, methods: { GET } });
  const page: RouteHandler = (context) => servePage(context, files, []);
  return [
    ...Array.from(files?.files ?? [], ([name, file]) =>
      at(`/pay/${name}`, (context) => serveAsset(context, file)),
    ),
    at('/pay/{id}', page),
    at('/pay/{merchantId}/{linkId}', page),
  ];
}
