import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { Reply } from '../reply.ts';

/** Limits of the table. */
export interface IdempotencyLimits {
  /** How many answers are kept. The oldest is dropped first. */
  readonly answersMax: number;
  /** Total bytes of kept bodies, in UTF-8. The oldest is dropped first. */
  readonly bytesMax: number;
  /** How long an answer is kept, ms. */
  readonly keptMs: number;
}

const IDEMPOTENCY_LIMITS: IdempotencyLimits = {
  answersMax: 10_000,
  bytesMax: 16 * 1024 * 1024,
  keptMs: 24 * 60 * 60 * 1_000,
};

/** The result of claiming a key. */
export type Claim =
  /**
   * The key is unused: serve the request, and call `settle` with whatever answer it gets before sending that
   * answer. What a caller has seen is then stored already.
   */
  | { readonly kind: 'new'; readonly settle: (reply: Reply | undefined) => void | Promise<void> }
  /** The same request was answered before. */
  | { readonly kind: 'answered'; readonly reply: Reply }
  /** The same request is being served right now. */
  | { readonly kind: 'in-use' }
  /** The key was used for a different request. */
  | { readonly kind: 'reused' };

/** A key and its request, as SHA-256 digests in base64. */
export interface KeyUse {
  /** Digest of the key and its scope. */
  readonly place: string;
  /** Digest of what must be equal when the key is used again. */
  readonly fingerprint: string;
}

/** The table of keys: in this process, or in the one that keeps it for several. */
export interface KeyTable {
  claim(use: KeyUse): Claim | Promise<Claim>;
}

/**
 * Digests a key and its request.
 *
 * @param scope the scope of the key, the key included.
 * @param request the request as JSON.
 */
export function digestUse(scope: readonly string[], request: unknown): KeyUse {
  return { place: digest(scope), fingerprint: digest(request) };
}

interface KeptAnswer {
  readonly fingerprint: string;
  readonly reply: Reply;
  readonly bytes: number;
  readonly expiresAt: number;
}

/**
 * Requests made with an `Idempotency-Key`, and their answers. Kept in the memory of this process, so a
 * restart forgets them. Keys and requests are stored as SHA-256 digests, answers verbatim. A 5xx answer is
 * not kept, so that the request can be retried.
 */
export class IdempotencyKeys implements KeyTable {
  readonly #clock: Clock;
  readonly #limits: IdempotencyLimits;
  /** Fingerprints by scope. Bounded by the operations in flight, which the gate limits. */
  readonly #running = new Map<string, string>();
  /** By scope, oldest first. */
  readonly #answers = new Map<string, KeptAnswer>();
  #bytes = 0;

  constructor(clock: Clock, limits: Partial<IdempotencyLimits> = {}) {
    this.#clock = clock;
    this.#limits = { ...IDEMPOTENCY_LIMITS, ...limits };
  }

  /** Claims a key for a request. */
  claim({ place, fingerprint }: KeyUse): Claim {
    this.#dropExpired();
    const running = this.#running.get(place);
    if (running !== undefined) return { kind: running === fingerprint ? 'in-use' : 'reused' };
    const kept = this.#answers.get(place);
    if (kept !== undefined) {
      return kept.fingerprint === fingerprint ? { kind: 'answered', reply: kept.reply } : { kind: 'reused' };
    }
    this.#running.set(place, fingerprint);
    return {
      kind: 'new',
      settle: (reply) => {
        this.#running.delete(place);
        if (reply !== undefined && reply.status < 500) this.#keep(place, fingerprint, reply);
      },
    };
  }

  #keep(place: string, fingerprint: string, reply: Reply): void {
    const { answersMax, bytesMax, keptMs } = this.#limits;
    const bytes = Buffer.byteLength(reply.body ?? '');
    const expiresAt = this.#clock.now() + keptMs;
    this.#answers.set(place, { fingerprint, reply, bytes, expiresAt });
    this.#bytes += bytes;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= answersMax && this.#bytes <= bytesMax) break;
      this.#drop(oldest);
    }
  }

  #dropExpired(): void {
    const now = this.#clock.now();
    for (const [place, { expiresAt }] of this.#answers) {
      if (expiresAt > now) break;
      this.#drop(place);
    }
  }

  #drop(place: string): void {
    this.#bytes -= this.#answers.get(place)?.bytes ?? 0;
    this.#answers.delete(place);
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
