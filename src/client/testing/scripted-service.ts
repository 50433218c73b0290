import {
  type ClientOptions,
  type ClientPorts,
  createCalls,
  type PrivatePayments,
} from '../private-payments.ts';

/** The response to one attempt: a status with a body and headers, or a network failure. */
export type Scripted =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | 'lost'
  | 'silence';

/** A request that the service received. */
interface SeenRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly redirect: string | undefined;
}

/** A client of a service with scripted responses. */
export interface ScriptedService {
  readonly client: PrivatePayments;
  readonly requests: SeenRequest[];
  /** The pauses between attempts, in ms. */
  readonly pauses: number[];
  /** Times out the call. */
  expire(): void;
}

/** Creates a problem in the service's format. */
export const problem = (status: number, code: string, more: object = {}): Scripted => ({
  status,
  body: { code, detail: `it is ${code}`, requestId: 'r-1', error: { code, message: code }, ...more },
});

/** Answers attempts from the script, in order. Further attempts fail the test. */
export function playService(
  script: readonly Scripted[],
  options: Partial<ClientOptions> = {},
): ScriptedService {
  const requests: SeenRequest[] = [];
  const pauses: number[] = [];
  const deadline = new AbortController();
  let keys = 0;
  const answers = [...script];
  const fetch: typeof globalThis.fetch = async (url, init = {}) => {
    const headers = init.headers as Record<string, string>;
    const { method = 'GET', body, redirect, signal } = init;
    requests.push({ url: String(url), method, headers, body: body as string | undefined, redirect });
    const answer = answers.shift();
    if (answer === undefined) throw new Error('nobody scripted this attempt');
    if (answer === 'lost') throw new TypeError('fetch failed');
    if (answer === 'silence') {
      return await new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    }
    const { status, body: content = {} } = answer;
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return new Response(text, { status, ...(answer.headers && { headers: answer.headers }) });
  };
  const ports: ClientPorts = {
    fetch,
    deadline: () => ({ signal: deadline.signal, stop: () => undefined }),
    wait: async (ms, signal) => {
      pauses.push(ms);
      signal.throwIfAborted();
    },
    now: () => 0,
    random: () => 0.5,
    mintKey: () => `key-${(keys += 1)}`,
  };
  const client = createCalls({ url: 'http://service.test/', ...options }, ports);
  return { client, requests, pauses, expire: () => deadline.abort() };
}
