import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { Reply } from '../reply.ts';

/** Bounds on what is kept. */
export interface IdempotencyLimits {
  /** How many answers are kept; the oldest goes first. */
  readonly answersMax: number;
  /** How many bytes of bodies are kept, counted as UTF-8; the oldest goes first. */
  readonly bytesMax: number;
  /** How long an answer is kept, ms. */
  readonly keptMs: number;
}

const IDEMPOTENCY_LIMITS: IdempotencyLimits = {
  answersMax: 10_000,
  bytesMax: 16 * 1024 * 1024,
  keptMs: 24 * 60 * 60 * 1_000,
};

/** What a request with a key meets. */
export type Claim =
  /**
   * Nobody has used the key: the request is to be served, and `settle` called with its answer, whatever it
   * is, before the answer is given: what a caller has seen is kept by then.
   */
  | { readonly kind: 'new'; readonly settle: (reply: Reply | undefined) => void | Promise<void> }
  /** The same request was answered before. */
  | { readonly kind: 'answered'; readonly reply: Reply }
  /** The same request is being served right now. */
  | { readonly kind: 'in-use' }
  /** The key was used for another request. */
  | { readonly kind: 'reused' };

/** A request with a key, as digests of 32 bytes in base64. */
export interface KeyUse {
  /** Of what the key belongs to, itself among it. */
  readonly place: string;
  /** Of what must be the same when the key comes again. */
  readonly fingerprint: string;
}

/** Where keys are taken: in this process, or in the one that keeps them for several. */
export interface KeyTable {
  claim(use: KeyUse): Claim | Promise<Claim>;
}

/** How a request uses a key. `scope` is what the key belongs to, itself among it; both are JSON. */
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
 * The requests that were made with an `Idempotency-Key`, and their answers. In memory and of this process: a
 * restart forgets them. Keys and bodies are kept as SHA-256 digests, answers as they were sent. An answer of
 * status 5xx is not kept, so that the request can be tried again.
 */
export class IdempotencyKeys implements KeyTable {
  readonly #clock: Clock;
  readonly #limits: IdempotencyLimits;
  /** Fingerprints by scope. As many as there are operations in flight, which the gate bounds. */
  readonly #running = new Map<string, string>();
  /** By scope, the oldest first. */
  readonly #answers = new Map<string, KeptAnswer>();
  #bytes = 0;

  constructor(clock: Clock, limits: Partial<IdempotencyLimits> = {}) {
    this.#clock = clock;
    this.#limits = { ...IDEMPOTENCY_LIMITS, ...limits };
  }

  /** Takes a key for a request. */
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
