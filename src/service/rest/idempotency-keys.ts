import { createHash } from 'node:crypto';
import type { Reply } from '../reply.ts';
import type { AnswerStore, KeyUse } from './answer-store.ts';

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
  return { place: digest(scope), secret: digest(['secret', scope]), fingerprint: digest(request) };
}

/**
 * Requests made with an `Idempotency-Key`, and their answers. Keys and requests are known by their SHA-256
 * digests. A 5xx answer is not kept, so that the request can be retried.
 */
export class IdempotencyKeys implements KeyTable {
  readonly #answers: AnswerStore;
  readonly #about: () => string;
  /** Fingerprints by scope. Bounded by the operations in flight, which the gate limits. */
  readonly #running = new Map<string, string>();

  /**
   * @param about What answers are about as it is now, such as a ledger by its genesis hash: a key that was
   * used
   *   about something else is unused.
   */
  constructor(answers: AnswerStore, about: () => string = () => '') {
    this.#answers = answers;
    this.#about = about;
  }

  /** Claims a key for a request. */
  claim(asked: KeyUse): Claim {
    const about = this.#about();
    // By what it is about at this moment, also when that is replaced before there is an answer.
    const use = about === '' ? asked : { ...asked, place: digest([about, asked.place]) };
    const { place, fingerprint } = use;
    const running = this.#running.get(place);
    if (running !== undefined) return { kind: running === fingerprint ? 'in-use' : 'reused' };
    const kept = this.#answers.find(use);
    if (kept !== undefined) {
      return kept.fingerprint === fingerprint ? { kind: 'answered', reply: kept.reply } : { kind: 'reused' };
    }
    this.#running.set(place, fingerprint);
    return { kind: 'new', settle: (reply) => this.#settle(use, reply) };
  }

  #settle(use: KeyUse, reply: Reply | undefined): void | Promise<void> {
    const isKept = reply !== undefined && reply.status < 500;
    const keeping = isKept ? this.#answers.keep(use, reply) : undefined;
    // Until it can be found, the request counts as being served.
    if (keeping !== undefined) return keeping.then(() => this.#release(use));
    this.#release(use);
  }

  #release({ place }: KeyUse): void {
    this.#running.delete(place);
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
