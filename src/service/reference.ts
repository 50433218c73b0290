import { ERROR_CODES } from '../errors/codes.ts';
import type { Route } from './front.ts';
import { isJsonObject, type JsonObject } from './input/json-object.ts';
import type { ObjectSchema } from './input/json-schema.ts';
import { lazily } from './lazily.ts';
import {
  composeExampleInput,
  listPathOperations,
  type PathParameter,
  SERVICE_DESCRIPTION,
  tagsOf,
} from './openapi.ts';
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

/** A heading of the page, and the sections below it by their link names. */
type Chapter = readonly [heading: string, sections: ReadonlyMap<string, string>];

function writePage(placed: readonly PlacedOperation[], more: JsonObject): string {
  const chapters = [
    ...REST_GROUPS.map((group): Chapter => {
      const members = placed.filter(({ place }) => place.group === group);
      return [group, new Map(members.map((each) => [each.served.operation.name, writeOperation(each)]))];
    }),
    ...tagsOf(more).map((tag): Chapter => {
      const members = listPathOperations(more).filter(({ operation }) => operation.tags.includes(tag));
      return [tag, new Map(members.map((each) => [each.operation.operationId, writePathOperation(each)]))];
    }),
    ['Objects', new Map(findObjects(more))] satisfies Chapter,
  ].filter(([, sections]) => sections.size > 0);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${SERVER_TITLE}</title>
<link rel="stylesheet" href="/reference/reference.css">
<main>
<h1>${SERVER_TITLE} <small>${SERVER_INFO.version}</small></h1>
${writeParagraphs(SERVICE_DESCRIPTION)}
<p>For machines: <a href="/doc">OpenAPI 3.1</a>. For agents: the MCP endpoint <code>/mcp</code>, described at
<a href="/.well-known/mcp.json">/.well-known/mcp.json</a>.</p>
<nav>${chapters.map(writeNavigation).join('')}
<p><a href="#errors">Error codes</a></p></nav>
${chapters.map(([heading, sections]) => `<h2>${heading}</h2>${[...sections.values()].join('')}`).join('')}
${writeErrors()}
</main>
`;
}

function writeNavigation([heading, sections]: Chapter): string {
  const links = [...sections.keys()].map((name) => `<a href="#${name}">${name}</a>`);
  return `<p>${heading}: ${links.join(', ')}</p>`;
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

/** Writes an operation of another API from its OpenAPI description. */
function writePathOperation({ method, path, operation }: ListedOperation): string {
  const { operationId, summary, description, security = [], parameters = [], responses } = operation;
  const keys = security.flatMap((each) => Object.keys(each)).join(' or ');
  const body = schemaOf(operation.requestBody);
  const example = body && composeExampleInput(body);
  const result = schemaOf(responses[200]);
  const statuses = Object.entries(responses).map(([status, response]) => {
    const title = schemaOf(response)?.['title'];
    const type = title === undefined ? '' : `<i>${describeType({ title })}</i> `;
    return `<tr><th><code>${status}</code><td>${type}${escape(String(response['description']))}`;
  });
  return `<section id="${operationId}"><h3>${escape(summary)}</h3>
<p><code>${method} ${path}</code>${keys && `, bearer token ${keys}`}</p>
${description === undefined ? '' : writeParagraphs(description)}
${(['path', 'query', 'header'] as const).map((place) => writeParameters(place, parameters)).join('')}
${body ? `<h4>Body</h4>${writeMembers(body)}` : ''}
${example ? `<pre>${escape(JSON.stringify(example, undefined, 2))}</pre>` : ''}
<h4>Responses</h4><table>${statuses.join('\n')}</table>
${result && result['title'] === undefined ? `<h4>Result</h4>${writeMembers(result)}` : ''}</section>
`;
}

type ListedOperation = ReturnType<typeof listPathOperations>[number];

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' } as const;

function writeParameters(place: keyof typeof PLACES, parameters: readonly PathParameter[]): string {
  const members = parameters.filter((each) => each.in === place);
  if (members.length === 0) return '';
  const properties = Object.fromEntries(
    members.map(({ name, schema, description }) => [name, { ...schema, description }]),
  );
  const required = members.filter((each) => each.required).map(({ name }) => name);
  return `<h4>${PLACES[place]}</h4>${writeMembers({ type: 'object', properties, required })}`;
}

/** Returns the schema of a request body or response; undefined if OpenAPI describes no members. */
function schemaOf(described: JsonObject | undefined): ObjectSchema | undefined {
  const content = described?.['content'] as Record<string, { readonly schema: ObjectSchema }> | undefined;
  const schema = content?.['application/json']?.schema;
  const hasMembers = Object.keys(schema?.properties ?? {}).length > 0;
  return schema && hasMembers ? { ...schema, required: schema.required ?? [] } : undefined;
}

/** Writes each schema with a title in OpenAPI path items once. Types link to it. */
function* findObjects(described: unknown): Generator<readonly [title: string, section: string]> {
  if (typeof described !== 'object' || described === null) return;
  const { title } = described as JsonObject;
  if (typeof title === 'string') {
    yield [
      title,
      `<section id="${title}"><h3>${title}</h3>${writeMembers(described as ObjectSchema)}</section>`,
    ];
  }
  for (const part of Object.values(described)) yield* findObjects(part);
}

function writeMembers({ properties, required }: ObjectSchema): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const usual = schema['default'];
    const facts = [
      describeType(schema),
      ...(required.includes(name) ? [] : ['optional']),
      ...(usual === undefined ? [] : [`default ${escape(JSON.stringify(usual))}`]),
    ];
    const description = escape(String(schema['description'] ?? ''));
    return `<tr><th><code>${name}</code><td><i>${facts.join(', ')}</i> ${description}`;
  });
  return `<table>${rows.join('\n')}</table>`;
}

/** Describes a JSON Schema in a few words of HTML: `integer or string`, `"base" or "ephemeral"`. */
function describeType({ title, type, enum: choices, const: only, anyOf, items }: JsonObject): string {
  if (typeof title === 'string') return `<a href="#${title}">${title}</a>`;
  if (only !== undefined) return escape(JSON.stringify(only));
  if (Array.isArray(choices)) return escape(choices.map((choice) => JSON.stringify(choice)).join(' or '));
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(describeType))].join(' or ');
  if (type === 'array') return `array of ${isJsonObject(items) ? describeType(items) : 'any'}`;
  return [type ?? 'any'].flat().join(' or ');
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
