import { isJsonObject, type JsonObject } from '../input/json-object.ts';
import { readJson } from '../json-body.ts';
import { jsonReply, type Reply } from '../reply.ts';
import {
  encodeHeaderValue,
  isMessageId,
  type MessageId,
  readMessage,
  writeError,
  writeId,
} from './json-rpc.ts';
import { type LineStreams, serveLines, type StdioServer } from './lines.ts';
import { META, MODERN_VERSION, RPC_ERROR } from './protocol.ts';

/** Timeout for a response, in ms. It is twice the service's time limit for an operation. */
const ANSWER_MS_MAX = 60_000;

/** Timeout for requests in flight on shutdown, in ms. It is shorter than the supervisor's. */
const STOP_MS_MAX = 5_000;

/** Maximum number of requests in flight; more are queued. The service accepts far more from one address. */
const IN_FLIGHT_MAX = 32;

/** Options of {@link bridgeStdio}. */
interface BridgeOptions extends LineStreams {
  /** The URL of the service. Requests go to `/mcp` below it. */
  readonly serviceUrl: URL;
  /** The user's bearer token for private reads. */
  readonly token?: string;
  /** The API key, or an access token, of a service that authenticates its callers. */
  readonly apiKey?: string;
  /** Sends the requests; default the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Serves MCP over stdio by passing each message to a running service over Streamable HTTP (MCP 2025-11-25 and
 * 2026-07-28, transports). The bridge has no state, so the service may restart. A request without a valid
 * JSON-RPC response gets an error.
 */
export function bridgeStdio(options: BridgeOptions): StdioServer {
  const { serviceUrl, fetch = globalThis.fetch } = options;
  const endpoint = endpointOf(serviceUrl);
  const bridge = new Bridge(endpoint, credentialsOf(options), fetch);
  const server = serveLines(options, (message, line) => bridge.serve(message, line));
  return {
    done: server.done,
    close() {
      setTimeout(() => bridge.giveUp(), STOP_MS_MAX).unref();
      return server.close();
    },
  };
}

/** Returns the MCP endpoint below the URL of a service. A path cannot change the host. */
export function endpointOf(serviceUrl: URL): URL {
  const endpoint = new URL(serviceUrl);
  endpoint.pathname = `${serviceUrl.pathname.replace(/\/+$/, '')}/mcp`;
  return endpoint;
}

/** Returns the headers with the credentials. A service with API keys reads the token from its own header. */
function credentialsOf({ token, apiKey }: BridgeOptions): Readonly<Record<string, string>> {
  const tokenHeader = apiKey === undefined ? 'authorization' : 'rollup-authorization';
  return {
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...(token !== undefined && { [tokenHeader]: `Bearer ${token}` }),
  };
}

class Bridge {
  readonly #endpoint: URL;
  readonly #credentials: Readonly<Record<string, string>>;
  readonly #fetch: typeof globalThis.fetch;
  readonly #waiting: (() => void)[] = [];
  readonly #stopping = new AbortController();
  #inFlight = 0;

  constructor(endpoint: URL, credentials: Readonly<Record<string, string>>, fetch: typeof globalThis.fetch) {
    this.#endpoint = endpoint;
    this.#credentials = credentials;
    this.#fetch = fetch;
  }

  /** Stops waiting for requests in flight. */
  giveUp(): void {
    this.#stopping.abort();
  }

  /** Forwards a message. `value` is the parsed line. */
  serve(value: unknown, line: Buffer): Promise<Reply | undefined> {
    return this.#inTurn(() => this.#hand(line, value));
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inFlight === IN_FLIGHT_MAX) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#inFlight += 1;
    try {
      return await work();
    } finally {
      // The next queued request takes this slot before a new request can.
      const next = this.#waiting.shift();
      if (next === undefined) this.#inFlight -= 1;
      else next();
    }
  }

  async #hand(line: Buffer, value: unknown): Promise<Reply | undefined> {
    const message = readMessage(value);
    // JSON-RPC 2.0: the response to a line that is not a message has a null id.
    const id = message?.kind === 'request' ? message.id : message === undefined ? null : undefined;
    const fail = (text: string): Reply | undefined =>
      id === undefined ? undefined : jsonReply(writeError(id, RPC_ERROR.serverError, text));
    try {
      const response = await this.#fetch(this.#endpoint, {
        method: 'POST',
        headers: this.#headers(value),
        body: line,
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS_MAX), this.#stopping.signal]),
      });
      const text = await response.text();
      if (id === undefined) return undefined;
      return (
        readAnswer(text, id) ??
        fail(`The service at ${this.#endpoint.origin} answered HTTP ${response.status}`)
      );
    } catch (error) {
      return fail(`The service at ${this.#endpoint.origin} ${describeFailure(reasonOf(error))}`);
    }
  }

  #headers(value: unknown): Record<string, string> {
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...this.#credentials,
      ...mirrorHeaders(value),
    };
  }
}

/**
 * Returns the response as one line; undefined if it is not a JSON-RPC response to this request. Only line
 * breaks change, which JSON has only between tokens. An error without an id is accepted, because each HTTP
 * request carries one message.
 */
function readAnswer(text: string, id: MessageId): Reply | undefined {
  const { value } = readJson(Buffer.from(text));
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return undefined;
  const { error } = value;
  if (error === undefined && value['result'] === undefined) return undefined;
  const own = value['id'];
  if (own === null && id !== null && isJsonObject(error)) {
    const { code, message, data } = error;
    return jsonReply(writeError(id, code as never, String(message), data as object | undefined));
  }
  if (!isMessageId(own) || writeId(own) !== writeId(id)) return undefined;
  return jsonReply(text.replaceAll(/[\r\n]+/g, ' '));
}

/** Error codes of failures before the request was sent. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Describes a failure. It suggests a retry only if the request cannot have been executed. */
function describeFailure(reason: string): string {
  return NOT_SENT.has(reason)
    ? `cannot be reached (${reason}): start it, or leave --url out`
    : `did not respond (${reason}): the request may have been executed, so check before you retry`;
}

/** Returns the cause in one word. It never quotes the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  const { cause } = error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : error.name;
}

/** Returns the headers that repeat parts of a message (MCP 2026-07-28, Streamable HTTP, request metadata). */
function mirrorHeaders(value: unknown): Record<string, string> {
  if (!isJsonObject(value)) return {};
  const params = isJsonObject(value['params']) ? value['params'] : {};
  const version = versionOf(params);
  if (version === undefined) return {};
  const { method } = value;
  const name = params['name'];
  return {
    'mcp-protocol-version': encodeHeaderValue(version),
    ...(version === MODERN_VERSION &&
      typeof method === 'string' && { 'mcp-method': encodeHeaderValue(method) }),
    ...(version === MODERN_VERSION && typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
  };
}

function versionOf(params: JsonObject): string | undefined {
  const meta = params['_meta'];
  const version = isJsonObject(meta) ? meta[META.protocolVersion] : undefined;
  return typeof version === 'string' ? version : undefined;
}
