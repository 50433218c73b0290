import {
  answerInChunks,
  type Transport,
  TransportFault,
  type TransportFaultKind,
  type UpstreamAnswer,
  type UpstreamRequest,
} from '../upstream/transport.ts';

/** A JSON-RPC call as it was sent. */
export interface SentCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The outcome of one exchange: an answer, a fault, or the result of a JSON-RPC call. */
export type Outcome =
  | Partial<UpstreamAnswer>
  | { readonly fault: TransportFaultKind }
  | { readonly result: unknown };

/** A transport whose outcomes a function decides. It records the requests. */
export class ScriptedTransport implements Transport {
  readonly requests: UpstreamRequest[] = [];
  readonly #decide: (request: UpstreamRequest, call: SentCall) => Outcome | Promise<Outcome>;

  constructor(decide: (request: UpstreamRequest, call: SentCall) => Outcome | Promise<Outcome>) {
    this.#decide = decide;
  }

  /** The hosts of the requests, in order. */
  get hosts(): string[] {
    return this.requests.map(({ url }) => url.hostname);
  }

  /** The JSON-RPC calls that were sent, in order. */
  get calls(): SentCall[] {
    return this.requests.map(callOf);
  }

  async send(request: UpstreamRequest): Promise<UpstreamAnswer> {
    this.requests.push(request);
    const call = callOf(request);
    const outcome = await this.#decide(request, call);
    if ('fault' in outcome) throw new TransportFault(outcome.fault);
    const body = 'result' in outcome ? JSON.stringify({ jsonrpc: '2.0', id: call.id, ...outcome }) : '';
    const told = { status: 200, retryAfter: null, body, ...('result' in outcome ? {} : outcome) };
    const bytes = Buffer.from(told.body);
    return answerInChunks(told, [bytes], bytes.length);
  }

  close(): void {}
}

const callOf = ({ body }: UpstreamRequest): SentCall => JSON.parse(body ?? '{}') as SentCall;
