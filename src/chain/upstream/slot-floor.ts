import type { Clock } from '../../ports/clock.ts';
import type { Commitment } from '../../solana/commitment.ts';

/** Time a slot is remembered, in ms. Slots expire, so a ledger that was reset is accepted again. */
export const MEMORY_MS = 60_000;

/** Slots that a ledger may advance in addition to twice the number for the elapsed time. */
const LEAP_SLOTS = 150;

/** Number of slots that an advancing URL may lag: leaders miss turns, and nodes behind one URL differ. */
const STILL_SLOTS = 8;

/** The slot of an answer, and the time at which it arrived. */
interface Seen {
  readonly slot: number;
  readonly at: number;
}

/** The time since which a URL has been behind while advancing, and the last slot it reported. */
interface Behind {
  readonly since: number;
  readonly last: Seen;
}

/** The lowest slot acceptable from the URL at an index; undefined if any slot is. */
export type LowestSlot = (by: number) => number | undefined;

/** The commitments that satisfy each commitment: a finalized block is also confirmed and processed. */
const AT_LEAST: Readonly<Record<Commitment, readonly Commitment[]>> = {
  processed: ['processed', 'confirmed', 'finalized'],
  confirmed: ['confirmed', 'finalized'],
  finalized: ['finalized'],
};

/**
 * The highest slots of one ledger's answers, by URL. A later request must not be answered from an older slot
 * by any URL: a balance would revert, and a landed transaction would vanish.
 *
 * If two URLs differ, no one can tell which is wrong. A URL that stays behind a single other one for
 * {@link MEMORY_MS} but keeps advancing is therefore accepted again. Otherwise one URL could exclude the
 * others with false slots.
 */
export class SlotFloor {
  /** Duration of one slot of the ledger, in ms. */
  readonly slotMs: number;
  readonly #clock: Clock;
  readonly #marks: Readonly<Record<Commitment, Marks>> = {
    processed: new Marks(),
    confirmed: new Marks(),
    finalized: new Marks(),
  };

  constructor(clock: Clock, slotMs: number) {
    this.#clock = clock;
    this.slotMs = slotMs;
  }

  /** Returns the lowest acceptable slots for a request made now at a commitment. */
  at(commitment: Commitment): LowestSlot {
    const reached = this.#reached(commitment);
    const enough = this.#enough(commitment);
    return (by) => {
      const [first, second] = [...reached]
        .filter(([other]) => other !== by)
        .map(([, slot]) => slot)
        .toSorted((a, b) => b - a);
      // Two other URLs that agree always count. A single URL can be outvoted by a URL that has kept advancing
      // behind it for long enough.
      const alone = Math.min(first ?? -1, enough.get(by) ?? Infinity);
      const lowest = Math.max(reached.get(by) ?? -1, second ?? -1, alone);
      return lowest < 0 ? undefined : lowest;
    };
  }

  /**
   * Returns the highest slot of recent answers at a commitment; undefined if there is none. If a URL is
   * accepted although it is behind, returns the slot that this URL must have reached, because the higher one
   * may be false.
   */
  newest(commitment: Commitment): number | undefined {
    const slots = [...this.#reached(commitment).values()];
    if (slots.length === 0) return undefined;
    const accepted = [...this.#enough(commitment).keys()].map((by) => this.at(commitment)(by) ?? 0);
    return Math.min(Math.max(...slots), ...accepted);
  }

  /**
   * Records the slot of an answer at a commitment from the URL at an index. Ignores a slot that no ledger can
   * have reached, because one URL could otherwise make all others count as behind.
   */
  raise(commitment: Commitment, by: number, slot: number): void {
    const { reached, behind } = this.#marks[commitment];
    if (slot >= Math.max(...this.#reached(commitment).values())) behind.delete(by);
    else if (behind.has(by)) this.fallBehind(commitment, by, slot);
    const own = reached.get(by);
    // An answer that a later answer has overtaken must not move the mark back.
    const isBack = own !== undefined && this.#isFresh(own) && slot < own.slot;
    if (!isBack && this.#isWithinReach(commitment, slot)) reached.set(by, { slot, at: this.#clock.now() });
  }

  /** Records that the URL at an index is at this slot, below the floor. */
  fallBehind(commitment: Commitment, by: number, slot: number): void {
    const { behind } = this.#marks[commitment];
    const known = behind.get(by);
    const now = this.#clock.now();
    const hasGoneOn = known !== undefined && this.#isFresh(known.last) && slot >= this.#due(known.last, now);
    // Keep the time of the first answer from a slot: renewing it would hide a node that stands still.
    const last = hasGoneOn && slot <= known.last.slot ? known.last : { slot, at: now };
    behind.set(by, { since: hasGoneOn ? known.since : now, last });
  }

  /**
   * Whether the ledger can have reached the slot, measured from a slot that stays fixed for
   * {@link MEMORY_MS}. If it were always the highest slot, a series of answers could rise without limit.
   */
  #isWithinReach(commitment: Commitment, slot: number): boolean {
    const marks = this.#marks[commitment];
    const now = this.#clock.now();
    const fresh = [...marks.reached.values()].filter((seen) => this.#isFresh(seen));
    const highest = fresh.toSorted((a, b) => b.slot - a.slot)[0];
    if (highest === undefined) marks.anchor = { slot, at: now };
    else if (marks.anchor === null || !this.#isFresh(marks.anchor)) marks.anchor = highest;
    const { anchor } = marks;
    return anchor !== null && slot <= anchor.slot + (2 * (now - anchor.at)) / this.slotMs + LEAP_SLOTS;
  }

  /** Returns the lowest slots for URLs that were behind for a long time but kept advancing, by index. */
  #enough(commitment: Commitment): Map<number, number> {
    const now = this.#clock.now();
    const enough = new Map<number, number>();
    for (const [by, { since, last }] of this.#marks[commitment].behind)
      if (now - since >= MEMORY_MS && this.#isFresh(last)) enough.set(by, this.#due(last, now));
    return enough;
  }

  /** Returns the slot an advancing URL must have reached by now, at half the nominal speed. */
  #due({ slot, at }: Seen, now: number): number {
    return slot + Math.floor((now - at) / (2 * this.slotMs)) - STILL_SLOTS;
  }

  /** Returns the highest slot of each URL that is comparable with an answer at a commitment. */
  #reached(commitment: Commitment): Map<number, number> {
    const highest = new Map<number, number>();
    for (const other of AT_LEAST[commitment])
      for (const [by, seen] of this.#marks[other].reached)
        if (this.#isFresh(seen)) highest.set(by, Math.max(seen.slot, highest.get(by) ?? 0));
    return highest;
  }

  #isFresh({ at }: Seen): boolean {
    const ageMs = this.#clock.now() - at;
    // A negative age means that the clock was set back.
    return ageMs >= 0 && ageMs <= MEMORY_MS;
  }
}

/** The slots seen at one commitment, by the index of the URL. */
class Marks {
  readonly reached = new Map<number, Seen>();
  readonly behind = new Map<number, Behind>();
  anchor: Seen | null = null;
}
