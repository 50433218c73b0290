import { z } from 'zod';
import type { ServiceError } from '../../errors/service-error.ts';
import { hasRepeatedMember, parseExact } from '../../json/parse-json.ts';
import type { Commitment } from '../../solana/commitment.ts';
import type { LowestSlot, SlotFloor } from './slot-floor.ts';
import type { UpstreamAnswer } from './transport.ts';
import {
  faultOfAnswer,
  faultOfLag,
  faultOfRpcError,
  faultOfSending,
  faultOfStatus,
  readTransactionRefusal,
  type UpstreamFault,
} from './upstream-fault.ts';
import { ANSWER_BYTES_MAX, type Upstream } from './upstream.ts';

/** A JSON-RPC call and the schema of its result. */
export interface RpcCall<T> {
  readonly method: string;
  readonly params: readonly unknown[];
  /**
   * The commitment of the call, if its answer carries `context.slot`. The answer must then not be older than
   * any answer received before the call was made.
   */
  readonly commitment?: Commitment;
  /** The last parameter of methods with `minContextSlot`. The client adds it and the commitment. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly result: z.ZodType<T>;
  /** Returns another slot that the result confirms, in addition to the context slot. */
  readonly confirms?: (result: T) => number | undefined;
  /** Checks on the result that the schema does not express. */
  readonly isUsable?: (result: T) => boolean;
  /** The caller's bearer token. */
  readonly token?: string | undefined;
  readonly answerBytesMax?: number;
  /** Index of the URL to try last among the healthy URLs. */
  readonly notBy?: number | undefined;
  /** Whether an error ends the call without trying other URLs. */
  readonly endsWith?: (error: ServiceError) => boolean;
}

/** A result, and the index of the URL that returned it. */
interface AnswerBy<T> {
  readonly answer: T;
  readonly by: number;
}

/**
 * The part of a request that carries the token. MagicBlock's rollups read it only from the query parameter
 * `token`. A base ledger never receives it.
 */
export type TokenPlace = 'query' | 'nowhere';

const rpcError = z.object({ code: z.int(), message: z.string().optional(), data: z.unknown().optional() });
type RpcErrorObject = z.infer<typeof rpcError>;

/** Agave `custom_error.rs`: the node is behind the requested `minContextSlot` and reports its own slot. */
const MIN_CONTEXT_SLOT_NOT_REACHED = -32_016;
const ownSlot = z.object({ contextSlot: z.int().min(0) });

const inContext = z.object({ context: z.object({ slot: z.int().min(0) }) });

const envelope = z.object({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  error: rpcError.nullish(),
  result: z.unknown().optional(),
});

/** The index of the URL in use, and the lowest slot its answer may have at a commitment. */
interface Place {
  readonly commitment: Commitment | undefined;
  readonly at: number;
  readonly lowest: number | undefined;
}

const ANY_SLOT: LowestSlot = () => undefined;

type FaultOfError = (error: RpcErrorObject, base: URL) => UpstreamFault;

/** A JSON-RPC 2.0 client that validates every answer before returning it. */
export class RpcClient {
  readonly #upstream: Upstream;
  readonly #tokenPlace: TokenPlace;
  readonly #floor: SlotFloor | null;
  #calls = 0;

  /** @param floor the lowest slots answers may have; null to accept any slot. */
  constructor(upstream: Upstream, tokenPlace: TokenPlace, floor: SlotFloor | null = null) {
    this.#upstream = upstream;
    this.#tokenPlace = tokenPlace;
    this.#floor = floor;
  }

  /**
   * Sends a read, with retries if they can help.
   *
   * @throws {ServiceError} UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT, UPSTREAM_RATE_LIMITED, UPSTREAM_INVALID,
   *   UPSTREAM_REJECTED; AUTH_REFUSED if the token was not accepted; CLUSTER_NOT_ALLOWED if the caller's own
   *   URL leads to a private address.
   */
  async read<T>(call: RpcCall<T>): Promise<T> {
    return (await this.readBy(call)).answer;
  }

  /** Reads like {@link read}, but also returns the index of the URL that answered. */
  readBy<T>(call: RpcCall<T>): Promise<AnswerBy<T>> {
    return this.#ask(call, true, ({ code }) => faultOfRpcError(this.#upstream.who, code));
  }

  /**
   * Submits a transaction once, without retries.
   *
   * @throws {ServiceError} TRANSACTION_FAILED if the transaction was rejected; otherwise the errors of {@link
   * read}.
   */
  async send<T>(call: RpcCall<T>): Promise<T> {
    const { answer } = await this.#ask(call, false, (error, base) =>
      faultOfSending(this.#upstream.who, error.code, readTransactionRefusal(error, base)),
    );
    return answer;
  }

  #ask<T>(call: RpcCall<T>, isRepeatable: boolean, faultOfError: FaultOfError): Promise<AnswerBy<T>> {
    const id = ++this.#calls;
    const { method, commitment } = call;
    const token = this.#tokenPlace === 'query' ? call.token : undefined;
    // Read the floor before sending: answers that arrive later must not make this answer count as stale.
    const lowest = (commitment && this.#floor?.at(commitment)) ?? ANY_SLOT;
    const bodyFor = (at: number): string => {
      const config = call.config && { commitment, ...call.config, minContextSlot: lowest(at) };
      const params = config === undefined ? call.params : [...call.params, config];
      return JSON.stringify({ jsonrpc: '2.0', id, method, params });
    };
    return this.#upstream.request({
      what: method,
      isRepeatable,
      answerBytesMax: call.answerBytesMax ?? ANSWER_BYTES_MAX,
      notBy: call.notBy,
      endsWith: call.endsWith,
      address: (base, at) => ({ method: 'POST', url: withToken(base, token), body: bodyFor(at) }),
      read: (answer, base, at) => {
        const place = { at, commitment, lowest: lowest(at) };
        const { error, result } = readEnvelope(answer, id, token, this.#upstream.who);
        if (error) throw this.#faultOfLagging(error, place) ?? faultOfError(error, withToken(base, token));
        return { answer: this.#readResult(call, result, place), by: at };
      },
    });
  }

  #readResult<T>(call: RpcCall<T>, result: unknown, place: Place): T {
    const { who } = this.#upstream;
    const parsed = call.result.safeParse(result);
    if (!parsed.success) throw faultOfAnswer(who, `${call.method} in an unknown format`);
    const slot = slotOf(result);
    if (slot !== undefined) this.#rejectLag(slot, place);
    if (call.isUsable?.(parsed.data) === false)
      throw faultOfAnswer(who, `${call.method} with a result that cannot be used`);
    // Only a usable answer raises the floor for the other URLs.
    if (slot !== undefined && call.commitment !== undefined)
      this.#floor?.raise(call.commitment, place.at, slot);
    const confirmed = call.confirms?.(parsed.data);
    // Ignore older slots, which do not show how far this URL is.
    if (confirmed !== undefined && confirmed > (this.#floor?.at('confirmed')(place.at) ?? Infinity))
      this.#floor?.raise('confirmed', place.at, confirmed);
    return parsed.data;
  }

  #rejectLag(slot: number, { at, commitment, lowest = 0 }: Place): void {
    if (slot >= lowest || this.#floor === null || commitment === undefined) return;
    this.#floor.fallBehind(commitment, at, slot);
    throw faultOfLag(this.#upstream.who, lowest - slot, this.#floor.slotMs);
  }

  /** Creates the fault for a node that is behind. A node that reports no slot counts as one slot behind. */
  #faultOfLagging(
    { code, data }: RpcErrorObject,
    { at, commitment, lowest = 0 }: Place,
  ): UpstreamFault | null {
    if (code !== MIN_CONTEXT_SLOT_NOT_REACHED || lowest === 0 || this.#floor === null) return null;
    const slot = ownSlot.safeParse(data).data?.contextSlot;
    if (slot !== undefined && commitment !== undefined) this.#floor.fallBehind(commitment, at, slot);
    return faultOfLag(this.#upstream.who, Math.max(1, lowest - (slot ?? lowest - 1)), this.#floor.slotMs);
  }
}

const slotOf = (result: unknown): number | undefined => inContext.safeParse(result).data?.context.slot;

/** Replaces the operator's token in `base` with the caller's, because their rights must not be combined. */
export function withToken(base: URL, token: string | undefined): URL {
  if (token === undefined) return base;
  const url = new URL(base);
  url.searchParams.set('token', token);
  return url;
}

function readEnvelope(
  { status, retryAfter, body }: UpstreamAnswer,
  id: number,
  token: string | undefined,
  who: string,
): z.infer<typeof envelope> {
  // The body does not matter for these statuses.
  const parsed = status === 401 || status === 403 || status === 429 ? null : tryEnvelope(body);
  // Some providers send a JSON-RPC error with a different HTTP status. The JSON says more than the status.
  if (status !== 200 && !parsed?.error) throw faultOfStatus(who, status, retryAfter, token !== undefined);
  if (parsed === null) throw faultOfAnswer(who, 'in a format that is not JSON-RPC');
  // An unparsable request is rejected with a null id (JSON-RPC 2.0, section 5).
  const isOurs = parsed.id === id || (parsed.error && (parsed.id === null || parsed.id === undefined));
  if (!isOurs) throw faultOfAnswer(who, 'a different request');
  // JSON-RPC 1.0 sends both members and sets the unused one to null, so null counts as absent.
  if (parsed.error && parsed.result !== undefined && parsed.result !== null)
    throw faultOfAnswer(who, 'with both a result and an error');
  if (!parsed.error && parsed.result === undefined) throw faultOfAnswer(who, 'without a result');
  return parsed;
}

function tryEnvelope(body: string): z.infer<typeof envelope> | null {
  try {
    const value = parseExact(body);
    return hasRepeatedMember(body) ? null : (envelope.safeParse(value).data ?? null);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
