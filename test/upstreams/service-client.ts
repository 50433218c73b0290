import { REST_TABLE } from '../../src/service/rest/rest-table.ts';

/** One complete HTTP answer. */
export interface Answer {
  readonly status: number;
  /** Names and values. */
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. */
  readonly body: Record<string, unknown>;
}

/** The answer of `tools/call`. */
export interface ToolAnswer extends Answer {
  readonly result: {
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent?: Record<string, unknown>;
  };
}

type HeaderFields = Readonly<Record<string, string>>;

/** Calls the operations of a running service by name, over REST and MCP. */
export class ServiceClient {
  readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  get(path: string, headers: HeaderFields = {}): Promise<Answer> {
    return ask(this.origin + path, { headers });
  }

  post(path: string, body: string, headers: HeaderFields = {}): Promise<Answer> {
    const fields = { 'content-type': 'application/json', ...headers };
    return ask(this.origin + path, { method: 'POST', headers: fields, body });
  }

  /** Calls an operation by its REST path. */
  rest(operation: string, input: object, headers: HeaderFields = {}): Promise<Answer> {
    const place = REST_TABLE[operation];
    if (place === undefined) throw new Error(`there is no operation ${operation}`);
    if (place.method === 'POST') return this.post(place.path, JSON.stringify(input), headers);
    const query = new URLSearchParams(
      Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return this.get(`${place.path}?${query}`, headers);
  }

  /** Calls an operation by its MCP tool. */
  async tool(operation: string, input: object, headers: HeaderFields = {}): Promise<ToolAnswer> {
    const params = { name: `spl.${operation}`, arguments: input };
    const answer = await this.post(
      '/mcp',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      headers,
    );
    return { ...answer, result: answer.body['result'] as ToolAnswer['result'] };
  }
}

async function ask(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const text = await response.text();
  const isJson = /json/.test(headers.get('content-type') ?? '');
  return { status, headers, text, body: isJson ? (JSON.parse(text) as Answer['body']) : {} };
}
