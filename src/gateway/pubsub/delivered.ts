import { MEMORY_MS } from '../../chain/upstream/slot-floor.ts';
import type { Clock } from '../../ports/clock.ts';

/** Maximum number of remembered subjects of one subscription. A busy program has more accounts than that. */
const SUBJECTS_MAX = 1_000;

/** A notification: the thing it is about (an account, a transaction), its slot and its content. */
export interface Notice {
  readonly subject: string;
  readonly slot: number;
  readonly content: string;
}

interface Latest {
  readonly slot: number;
  readonly at: number;
  readonly content: string;
  /** The contents of this slot, and the connection on which each was delivered. */
  readonly ofSlot: Map<string, number>;
}

/**
 * The latest notifications of one subscription. Another upstream, or the same one later, may repeat
 * notifications or lag. A notification counts only if it is not older than the latest notification of its
 * subject.
 */
export class Delivered {
  readonly #clock: Clock;
  readonly #latest = new Map<string, Latest>();
  /** The highest slot of a forgotten subject. */
  #forgotten = -1;
  /** The number of the upstream connection. */
  #connection = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that the subscription continues on another connection. */
  resume(): void {
    this.#connection += 1;
  }

  /** Returns the slot of the latest notification; undefined if none is remembered. */
  slotOf(subject: string): number | undefined {
    const latest = this.#latest.get(subject);
    return latest !== undefined && this.#isFresh(latest) ? latest.slot : undefined;
  }

  /** Whether a notification of this subject was delivered. */
  has(subject: string): boolean {
    return this.#latest.has(subject);
  }

  /** Whether a notification is new. If it is, records it as delivered. */
  take({ subject, slot, content }: Notice): boolean {
    const latest = this.#latest.get(subject);
    if (latest === undefined ? slot < this.#forgotten : !this.#isNews(latest, slot, content)) return false;
    const ofSlot = latest?.slot === slot ? latest.ofSlot : new Map<string, number>();
    ofSlot.set(content, this.#connection);
    // The order of the map is the order of the notifications.
    this.#latest.delete(subject);
    this.#latest.set(subject, { slot, at: this.#clock.now(), content, ofSlot });
    if (this.#latest.size > SUBJECTS_MAX) this.#forgetOldest();
    return true;
  }

  #isNews(latest: Latest, slot: number, content: string): boolean {
    if (content === latest.content) return false;
    // An account can have an earlier content again in the same slot, but not as a repetition by another
    // connection.
    if (slot === latest.slot) return (latest.ofSlot.get(content) ?? Infinity) >= this.#connection;
    return slot > latest.slot || !this.#isFresh(latest);
  }

  #forgetOldest(): void {
    for (const [subject, { slot }] of this.#latest) {
      this.#latest.delete(subject);
      this.#forgotten = Math.max(this.#forgotten, slot);
      return;
    }
  }

  /** Whether an entry is recent. Slots are compared for a limited time, so a reset ledger is accepted. */
  #isFresh({ at }: Latest): boolean {
    const ageMs = this.#clock.now() - at;
    return ageMs >= 0 && ageMs <= MEMORY_MS;
  }
}
