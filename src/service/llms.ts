import { toolName } from './mcp/operation-tool.ts';
import type { ToolDefinition } from './mcp/tool.ts';
import { SERVICE_DESCRIPTION } from './openapi/openapi-document.ts';
import { originFor } from './request-head.ts';
import { type PlacedOperation, REST_GROUPS } from './rest/rest-table.ts';
import type { Route } from './route-table.ts';
import { SERVER_DESCRIPTION, SERVER_TITLE } from './server-info.ts';

/** The operations with a REST path, and the tools that MCP lists. */
interface Offered {
  readonly placed: readonly PlacedOperation[];
  readonly tools: readonly ToolDefinition[];
}

/**
 * Describes the service for language models, as Markdown in the order of llmstxt.org: title, summary, notes,
 * then headings with lists of links.
 *
 * @param origin without a trailing slash.
 */
function writeLlmsText(origin: string, { placed, tools }: Offered): string {
  const offered = new Set(tools.map(({ name }) => name));
  const withPath = new Set(placed.map(({ served }) => toolName(served.operation)));
  const line = (each: PlacedOperation): string => writeOperation(origin, each, offered);
  const groups = REST_GROUPS.map((group) =>
    writeSection(group, placed.filter(({ place }) => place.group === group).map(line)),
  );
  const toolsAlone = tools.filter(({ name }) => !withPath.has(name));
  const sections = [
    writeSection('How to call it', listEndpoints(origin)),
    ...groups,
    writeSection(
      'MCP tools without a path',
      toolsAlone.map(({ name, title }) => `- \`${name}\`: ${title}`),
    ),
  ];
  return (
    [`# ${SERVER_TITLE}`, `> ${SERVER_DESCRIPTION}`, ...NOTES, ...sections.flat(), '']
      .join('\n\n')
      .trimEnd() + '\n'
  );
}

/** The summary is above the notes, so it is removed from them. */
const NOTES = SERVICE_DESCRIPTION.split('\n\n').filter((paragraph) => paragraph !== SERVER_DESCRIPTION);

const listEndpoints = (origin: string): readonly string[] => [
  `- [MCP](${origin}/mcp): Streamable HTTP, stateless; each POST is answered with plain JSON`,
  `- [OpenAPI 3.1](${origin}/doc): every path with its schemas and examples`,
  `- [Reference](${origin}/reference): the same for people, and every error code`,
];

function writeOperation(
  origin: string,
  { place, served }: PlacedOperation,
  tools: ReadonlySet<string>,
): string {
  const { name, title } = served.operation;
  const tool = toolName(served.operation);
  const facts = [
    title,
    ...(tools.has(tool) ? [`MCP tool \`${tool}\``] : []),
    ...(place.token === undefined ? [] : [`bearer token ${place.token}`]),
  ];
  return `- [${place.method} ${place.path}](${origin}/reference#${name}): ${facts.join('; ')}`;
}

/** A heading with its list; empty if the list is empty. */
function writeSection(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${heading}`, lines.join('\n')];
}

/**
 * As for the OpenAPI document: public, readable cross-origin, and not cached because it depends on the
 * settings.
 */
const HEADERS = [
  'access-control-allow-origin',
  '*',
  'cache-control',
  'no-cache',
  'x-content-type-options',
  'nosniff',
] as const;

/** How to create `/llms.txt`. */
interface LlmsRouteOptions extends Offered {
  /** Origin of the links; default the one each request was sent to. */
  readonly publicOrigin: string | undefined;
}

/** Creates `GET /llms.txt`: Markdown about the service, as plain text so that browsers show it. */
export function createLlmsRoute({ publicOrigin, ...offered }: LlmsRouteOptions): Route {
  const contentType = 'text/plain; charset=utf-8';
  return {
    path: '/llms.txt',
    methods: {
      GET: (context) =>
        context.answer({
          status: 200,
          body: writeLlmsText(originFor(context.request, publicOrigin), offered),
          contentType,
          headers: HEADERS,
        }),
    },
  };
}
