import type { JsonObject } from '../input/json-object.ts';
import { lazily } from '../lazily.ts';
import type { Reply } from '../reply.ts';
import type { Route } from '../route-table.ts';
import { writeReferencePage } from './reference-page.ts';
import { REFERENCE_SCRIPT } from './reference-script.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

/** The page loads only its own files and calls only the API; no site may frame it. */
const PAGE_HEADERS = [
  'content-security-policy',
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'no-referrer',
  'cache-control',
  'no-cache',
] as const;

/** Like the discovery documents: public and readable cross-origin. */
const DOCUMENT_HEADERS = ['access-control-allow-origin', '*', 'cache-control', 'no-cache'] as const;

/**
 * `/doc` or `/openapi.json`, the OpenAPI document; `/reference`, its page, with its files; and `/`, which
 * redirects there.
 */
export function createReferenceRoutes(document: () => JsonObject): readonly Route[] {
  return [
    {
      ...createTextRoute('/doc', 'application/json', () => JSON.stringify(document()), DOCUMENT_HEADERS),
      // Client generators look for this name.
      alias: '/openapi.json',
    },
    createPageRoute('/reference', 'text/html; charset=utf-8', () => writeReferencePage(document())),
    createPageRoute('/reference/reference.css', 'text/css; charset=utf-8', () => REFERENCE_STYLE),
    createPageRoute('/reference/reference.js', 'text/javascript; charset=utf-8', () => REFERENCE_SCRIPT),
    createFixedRoute('/', () => ({ status: 302, headers: ['location', '/reference'] })),
  ];
}

function createPageRoute(path: string, contentType: string, body: () => string): Route {
  return createTextRoute(path, contentType, body, PAGE_HEADERS);
}

function createTextRoute(
  path: string,
  contentType: string,
  text: () => string,
  headers: readonly string[],
): Route {
  return createFixedRoute(path, () => ({ status: 200, body: text(), contentType, headers }));
}

/** @param write creates the response on the first request. */
function createFixedRoute(path: string, write: () => Reply): Route {
  const reply = lazily(write);
  return { path, methods: { GET: (context) => context.answer(reply()) } };
}
