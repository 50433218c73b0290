import type { Clock } from '../../ports/clock.ts';
import type { Reply } from '../reply.ts';

/** Limits of the answers that are kept. */
export interface IdempotencyLimits {
  /** How many answers are kept. The oldest is dropped first. */
  readonly answersMax: number;
  /** Total bytes of kept bodies, in UTF-8. The oldest is dropped first. */
  readonly bytesMax: number;
  /** How long an answer is kept, ms. */
  readonly keptMs: number;
}

export const IDEMPOTENCY_LIMITS: IdempotencyLimits = {
  answersMax: 10_000,
  bytesMax: 16 * 1024 * 1024,
  keptMs: 24 * 60 * 60 * 1_000,
};

/** A key and its request, as SHA-256 digests in base64. */
export interface KeyUse {
  /** Digest of the key and its scope. */
  readonly place: string;
  /** Another digest of these, by which an answer is enciphered where it is kept on a disk. */
  readonly secret: string;
  /** Digest of what must be equal when the key is used again. */
  readonly fingerprint: string;
}

/** An answer with the fingerprint of its request. */
export interface KeptAnswer {
  readonly fingerprint: string;
  readonly reply: Reply;
}

/** Where answers are kept, within limits. */
export interface AnswerStore {
  /** The answer at a place; undefined if there is none, or none any more. */
  find(use: KeyUse): KeptAnswer | undefined;
  /** Keeps an answer; resolves when a later process finds it, where one can. It never fails. */
  keep(use: KeyUse, reply: Reply): void | Promise<void>;
}

/** The bytes of an answer that count. */
export function bodyBytes({ body = '' }: Reply): number {
  return Buffer.byteLength(body);
}

interface TimedAnswer extends KeptAnswer {
  readonly bytes: number;
  readonly expiresAt: number;
}

/** Answers in the memory of this process: a restart forgets them. */
export class MemoryAnswers implements AnswerStore {
  readonly #clock: Clock;
  readonly #limits: IdempotencyLimits;
  /** By place, oldest first. */
  readonly #answers = new Map<string, TimedAnswer>();
  #bytes = 0;

  constructor(clock: Clock, limits: IdempotencyLimits = IDEMPOTENCY_LIMITS) {
    this.#clock = clock;
    this.#limits = limits;
  }

  find({ place }: KeyUse): KeptAnswer | undefined {
    this.#dropExpired();
    return this.#answers.get(place);
  }

  keep({ place, fingerprint }: KeyUse, reply: Reply): void {
    const { answersMax, bytesMax, keptMs } = this.#limits;
    const bytes = bodyBytes(reply);
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
