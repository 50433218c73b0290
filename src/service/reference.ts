import { ERROR_CODES } from '../errors/codes.ts';
import type { Route } from './front.ts';
import { isJsonObject, type JsonObject } from './input/json-object.ts';
import type { ObjectSchema } from './input/json-schema.ts';
import { lazily } from './lazily.ts';
import { composeExampleInput, listPathOperations, SERVICE_DESCRIPTION } from './openapi.ts';
import type { Reply } from './reply.ts';
import { type PlacedOperation, REST_GROUPS } from './rest/rest-table.ts';
import { SERVER_INFO, SERVER_TITLE } from './server-info.ts';

/** Headers that let the page load only its style sheet. No site may frame it. */
const PAGE_HEADERS = [
  'content-security-policy',
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'no-referrer',
  'cache-control',
  'no-cache',
] as const;

/** Headers of public documents, which are readable cross-origin, like the discovery documents. */
const DOCUMENT_HEADERS = ['access-control-allow-origin', '*', 'cache-control', 'no-cache'] as const;

/**
 * Creates the routes of the OpenAPI document (`/doc`), of `/reference`, and of the redirect at `/`.
 *
 * @param more the OpenAPI path items of other APIs at the same address.
 */
export function createReferenceRoutes(
  placed: readonly PlacedOperation[],
  document: () => JsonObject,
  more: JsonObject = {},
): readonly Route[] {
  const page = (contentType: string, body: string): Reply => ({
    status: 200,
    body,
    contentType: `${contentType}; charset=utf-8`,
    headers: PAGE_HEADERS,
  });
  const writeDocument = (): Reply => ({
    status: 200,
    body: JSON.stringify(document()),
    contentType: 'application/json',
    headers: DOCUMENT_HEADERS,
  });
  return [
    // Client generators try the alias.
    { ...createFixedRoute('/doc', writeDocument), alias: '/openapi.json' },
    createFixedRoute('/reference', () => page('text/html', writePage(placed, more))),
    createFixedRoute('/reference/reference.css', () => page('text/css', STYLE)),
    createFixedRoute('/', () => ({ status: 302, headers: ['location', '/reference'] })),
  ];
}

/** @param write creates the response on the first request. */
function createFixedRoute(path: string, write: () => Reply): Route {
  const reply = lazily(write);
  return { path, methods: { GET: (context) => context.answer(reply()) } };
}

function writePage(placed: readonly PlacedOperation[], more: JsonObject): string {
  const groups = REST_GROUPS.map(
    (group) => [group, placed.filter(({ place }) => place.group === group)] as const,
  ).filter(([, members]) => members.length > 0);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${SERVER_TITLE}</title>
<link rel="stylesheet" href="/reference/reference.css">
<h1>${SERVER_TITLE} <small>${SERVER_INFO.version}</small></h1>
${writeParagraphs(SERVICE_DESCRIPTION)}
<p>For machines: <a href="/doc">OpenAPI 3.1</a>. For agents: the MCP endpoint <code>/mcp</code>, described at
<a href="/.well-known/mcp.json">/.well-known/mcp.json</a>.</p>
<nav>${groups.map(([group, members]) => writeNavigation(group, members)).join('')}
<p><a href="#errors">Error codes</a></p></nav>
${groups.map(([group, members]) => `<h2>${group}</h2>${members.map(writeOperation).join('')}`).join('')}
${listPathOperations(more).map(writePathOperation).join('')}
${writeErrors()}
`;
}

function writeNavigation(group: string, members: readonly PlacedOperation[]): string {
  const links = members.map(
    ({ served: { operation } }) => `<a href="#${operation.name}">${operation.name}</a>`,
  );
  return `<p>${group}: ${links.join(', ')}</p>`;
}

function writeOperation({ place, served }: PlacedOperation): string {
  const { name, title, description } = served.operation;
  const { method, path, token } = place;
  const example = JSON.stringify(composeExampleInput(served.inputSchema) ?? {}, undefined, 2);
  return `<section id="${name}"><h3>${escape(title)}</h3>
<p><code>${method} ${path}</code>${token === undefined ? '' : `, bearer token ${token}`}</p>
${writeParagraphs(description)}
<h4>${method === 'GET' ? 'Query' : 'Body'}</h4>${writeMembers(served.inputSchema)}
<pre>${escape(example)}</pre>
<h4>Result</h4>${writeMembers(served.outputSchema)}</section>
`;
}

/** Writes an operation of another API, which only OpenAPI describes in full. */
function writePathOperation({
  method,
  path,
  operation,
}: ReturnType<typeof listPathOperations>[number]): string {
  return `<section><h3>${escape(operation.summary)}</h3>
<p><code>${method} ${path}</code></p>
${writeParagraphs(operation.description ?? '')}</section>
`;
}

function writeMembers({ properties, required }: ObjectSchema): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : ', optional';
    const description = escape(String(schema['description'] ?? ''));
    return `<tr><th><code>${name}</code><td><i>${escape(describeType(schema))}${optional}</i> ${description}`;
  });
  return `<table>${rows.join('\n')}</table>`;
}

/** Describes a JSON Schema in a few words: `integer or string`, `"base" or "ephemeral"`. */
function describeType({ type, enum: choices, const: only, anyOf, items }: JsonObject): string {
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' or ');
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(describeType))].join(' or ');
  if (type === 'array') return `array of ${isJsonObject(items) ? describeType(items) : 'any'}`;
  return String(type ?? 'any');
}

/** Writes the error codes that callers can see, without the operator's startup errors. */
function writeErrors(): string {
  const codes = Object.entries(ERROR_CODES).filter(([, { http }]) => http !== 500);
  return `<h2 id="errors">Error codes</h2>
<p>Failures are problem details (RFC 9457) with a stable <code>code</code>; <code>detail</code> says what to
change, <code>errors</code> names the fields, and <code>error</code> has the form of the hosted API.</p>
<table>${codes
    .map(([code, { http, title }]) => `<tr id="${code}"><th><code>${code}</code><td>${http}: ${title}.`)
    .join('\n')}</table>`;
}

/** Writes paragraphs of plain text that are separated by empty lines. Backquotes mark code. */
function writeParagraphs(text: string): string {
  return `<p>${escape(text)
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '</p><p>')}</p>`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, Consolas, monospace; font-size: 0.875em; }
pre { padding: 0.75rem; border: 1px solid #8886; white-space: pre-wrap; }
h2, h3 { margin: 2.5rem 0 0.5rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-top: 1px solid #8886; text-align: left; vertical-align: top; }
th { width: 14rem; font-weight: 400; }
tr:target { background: #8882; }
@media (max-width: 40rem) { tr, th, td { display: block; width: auto; border: 0; padding: 0.1rem 0; } }
`;
