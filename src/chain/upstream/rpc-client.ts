import { z } from 'zod';
import type { ServiceError } from '../../errors/service-error.ts';
import { hasRepeatedMember, parseExact } from '../../json/parse-json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Commitment } from '../../solana/commitment.ts';
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

/** Time a slot is remembered, in ms. It expires, so a ledger that was reset is accepted again. */
export const MEMORY_MS = 60_000;

/** Slots that a ledger may advance in addition to twice the number for the elapsed time. */
const LEAP_SLOTS = 150;

/** The commitments that satisfy each: a finalized block is also confirmed, a confirmed one processed. */
const AT_LEAST: Readonly<Record<Commitment, readonly Commitment[]>> = {
  processed: ['processed', 'confirmed', 'finalized'],
  confirmed: ['confirmed', 'finalized'],
  finalized: ['finalized'],
};

/**
 * The highest slots of one ledger's answers, from any of its URLs. A later request must not be answered from
 * an older slot: a balance would revert, and a landed transaction would vanish.
 */
export class SlotFloor {
  /** Duration of one slot of the ledger, in ms. */
  readonly slotMs: number;
  readonly #clock: Clock;
  readonly #seen = new Map<Commitment, { readonly slot: number; readonly at: number }>();

  constructor(clock: Clock, slotMs: number) {
    this.#clock = clock;
    this.slotMs = slotMs;
  }

  /** The lowest acceptable slot for a request made now at a commitment; undefined if any is. */
  at(commitment: Commitment): number | undefined {
    const slots = AT_LEAST[commitment].flatMap((other) => this.#recent(other)?.slot ?? []);
    return slots.length === 0 ? undefined : Math.max(...slots);
  }

  /**
   * Records the slot of an answer at a commitment. Ignores a slot that no ledger can have reached, because
   * one URL could otherwise make all others count as behind.
   */
  raise(commitment: Commitment, slot: number): void {
    const now = this.#clock.now();
    const last = this.#recent(commitment);
    const highest =
      last === undefined ? Infinity : last.slot + (2 * (now - last.at)) / this.slotMs + LEAP_SLOTS;
    if (slot >= (last?.slot ?? 0) && slot <= highest) this.#seen.set(commitment, { slot, at: now });
  }

  #recent(commitment: Commitment): { readonly slot: number; readonly at: number } | undefined {
    const seen = this.#seen.get(commitment);
    const ageMs = this.#clock.now() - (seen?.at ?? 0);
    // A negative age means that the clock was set back.
    return ageMs >= 0 && ageMs <= MEMORY_MS ? seen : undefined;
  }
}

/** A JSON-RPC call and the schema of its result. */
export interface RpcCall<T> {
  readonly method: string;
  readonly params: readonly unknown[];
  /**
   * The commitment of the call, if its answer carries `context.slot`. The answer must then not be older than
   * any answer received before the call was made.
   */
  readonly commitment?: Commitment;
  /** The last parameter of methods with `minContextSlot`. The client adds that and the commitment. */
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

/** A result, and the index of the URL that gave it. */
interface AnswerBy<T> {
  readonly answer: T;
  readonly by: number;
}

/**
 * The place of the token in a request. MagicBlock's rollups only read it from the query parameter `token`. A
 * base ledger never receives it.
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

  /** Like {@link read}, but also returns the index of the URL that answered. */
  readBy<T>(call: RpcCall<T>): Promise<AnswerBy<T>> {
    return this.#ask(call, true, ({ code }) => faultOfRpcError(this.#upstream.who, code));
  }

  /**
   * Submits a transaction once, without retries.
   *
   * @throws {ServiceError} TRANSACTION_FAILED if it was rejected; otherwise the errors of {@link read}.
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
    // Read the floor before sending: answers that arrive later must not make this one count as stale.
    const lowest = commitment && this.#floor?.at(commitment);
    const config = call.config && { commitment, ...call.config, minContextSlot: lowest };
    const params = config === undefined ? call.params : [...call.params, config];
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    return this.#upstream.request({
      what: method,
      isRepeatable,
      answerBytesMax: call.answerBytesMax ?? ANSWER_BYTES_MAX,
      notBy: call.notBy,
      endsWith: call.endsWith,
      address: (base) => ({ method: 'POST', url: withToken(base, token), body }),
      read: (answer, base, by) => {
        const { error, result } = readEnvelope(answer, id, token, this.#upstream.who);
        if (error) throw this.#faultOfLagging(error, lowest) ?? faultOfError(error, withToken(base, token));
        return { answer: this.#readResult(call, result, lowest), by };
      },
    });
  }

  #readResult<T>(call: RpcCall<T>, result: unknown, lowest: number | undefined): T {
    const { who } = this.#upstream;
    const floor = this.#floor;
    const parsed = call.result.safeParse(result);
    if (!parsed.success) throw faultOfAnswer(who, `${call.method} in an unknown format`);
    const slot = slotOf(result);
    if (slot !== undefined && lowest !== undefined && slot < lowest)
      throw faultOfLag(who, lowest - slot, floor?.slotMs ?? 0);
    if (call.isUsable?.(parsed.data) === false)
      throw faultOfAnswer(who, `${call.method} with an unusable result`);
    // Only a usable answer raises the floor.
    if (slot !== undefined && call.commitment !== undefined) floor?.raise(call.commitment, slot);
    const confirmed = call.confirms?.(parsed.data);
    // Ignore older slots, which do not show the progress of the ledger.
    if (confirmed !== undefined && confirmed > (floor?.at('confirmed') ?? Infinity))
      floor?.raise('confirmed', confirmed);
    return parsed.data;
  }

  /** The fault of a node that is behind. A node that reports no slot counts as one slot behind. */
  #faultOfLagging({ code, data }: RpcErrorObject, lowest: number | undefined): UpstreamFault | null {
    if (code !== MIN_CONTEXT_SLOT_NOT_REACHED || lowest === undefined || this.#floor === null) return null;
    const slot = ownSlot.safeParse(data).data?.contextSlot ?? lowest - 1;
    return faultOfLag(this.#upstream.who, Math.max(1, lowest - slot), this.#floor.slotMs);
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
  // Some providers send a JSON-RPC error under another HTTP status. The JSON says more than the status.
  if (status !== 200 && !parsed?.error) throw faultOfStatus(who, status, retryAfter, token !== undefined);
  if (parsed === null) throw faultOfAnswer(who, 'with something that is not JSON-RPC');
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
