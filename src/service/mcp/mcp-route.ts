import { describeEndpoint } from '../discovery.ts';
import type { Route } from '../front.ts';
import { readJsonBody } from '../json-body.ts';
import { PAYMENT_CAPABILITY } from '../paid/mcp-payment.ts';
import { methodNotAllowed, type Refusal } from '../refusal.ts';
import type { RequestContext } from '../request-context.ts';
import { originFor, qualityOf } from '../request-head.ts';
import { traceMcpCall } from '../telemetry.ts';
import { answerMessage, createLegacyEra, createModernEra, type Eras } from './exchange.ts';
import { writeRpcRefusal } from './json-rpc.ts';
import type { RequestedLogins } from './logins/requested-logins.ts';
import type { ToolCatalogue } from './tools.ts';

interface McpRouteOptions {
  readonly tools: ToolCatalogue;
  readonly bodyBytesMax: number;
  /** Origin in the info document. Defaults to the origin that the request was sent to. */
  readonly publicOrigin: string | undefined;
  /** The logins of users. Omitted if there is no login page. */
  readonly logins?: RequestedLogins | undefined;
  /** Whether tools may have a price. */
  readonly takesPayments?: boolean;
}

/** Creates the route `/mcp`. POST accepts one JSON-RPC message; GET describes the endpoint. */
export function createMcpRoute(options: McpRouteOptions): Route {
  const { tools, bodyBytesMax, publicOrigin, logins, takesPayments = false } = options;
  const more = takesPayments ? PAYMENT_CAPABILITY : {};
  const eras: Eras = { legacy: createLegacyEra(tools, more), modern: createModernEra(tools, logins, more) };
  return {
    path: '/mcp',
    alias: '/mcp/',
    methods: {
      GET: (context) => {
        if (asksForEventStream(context)) return context.refuse(NO_EVENT_STREAM);
        const origin = originFor(context.request, publicOrigin);
        return context.answer({
          status: 200,
          body: JSON.stringify(describeEndpoint(origin, tools.definitions)),
          contentType: 'application/json',
          headers: VARY_BY_ACCEPT,
        });
      },
      POST: (context) => readJsonBody(context, bodyBytesMax, (body) => serve(eras, context, body)),
    },
    isApi: true,
    writeRefusal: writeRpcRefusal,
  };
}

const VARY_BY_ACCEPT = ['vary', 'Accept'] as const;

/** Refusal to stream. Clients would treat any 2xx as a broken stream and reconnect forever. */
const NO_EVENT_STREAM: Refusal = {
  ...methodNotAllowed('POST'),
  headers: ['allow', 'POST', ...VARY_BY_ACCEPT],
  detail: 'This endpoint opens no event stream; it answers each POST with plain JSON',
};

function asksForEventStream({ headers }: RequestContext): boolean {
  return (qualityOf(headers.accept, 'text/event-stream') ?? 0) > 0;
}

function serve(eras: Eras, context: RequestContext, body: unknown): void | Promise<void> {
  context.nameCall('unknown', {}, 'mcp');
  context.trace = traceMcpCall(context.headers, body);
  const reply = context.traced(() => answerMessage(eras, context, body));
  return reply instanceof Promise ? reply.then((late) => context.answer(late)) : context.answer(reply);
}
