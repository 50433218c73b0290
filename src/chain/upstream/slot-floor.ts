import type { Clock } from '../../ports/clock.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { MEMORY_MS } from './fresh-blockhash.ts';

/**
 * How many slots a ledger may have gone on beyond twice what the time allows: two nodes differ, and answers
 * take a while.
 */
const LEAP_SLOTS = 150;

/**
 * How many slots a URL that goes on may fall short of that: leaders miss their turns, and the nodes behind
 * one URL differ.
 */
const STILL_SLOTS = 8;

/** The slot of an answer, and when it came. */
interface Seen {
  readonly slot: number;
  readonly at: number;
}

/** Since when a URL is behind yet goes on, and the last slot it was heard to come to. */
interface Behind {
  readonly since: number;
  readonly last: Seen;
}

/** The lowest slot that an answer of the URL at a position may be of; undefined where any will do. */
export type LowestSlot = (by: number) => number | undefined;

/**
 * What each commitment can be compared with: a block that is finalized was confirmed, and that one was
 * processed.
 */
const AT_LEAST: Readonly<Record<Commitment, readonly Commitment[]>> = {
  processed: ['processed', 'confirmed', 'finalized'],
  confirmed: ['confirmed', 'finalized'],
  finalized: ['finalized'],
};

/**
 * The slots that the answers of one ledger were of. What is asked after an answer must not be answered from
 * before it, whichever URL is asked: a balance would be the old one again, and a transaction that landed
 * would not have.
 *
 * Slots are kept by URL, and that of each is forgotten {@link MEMORY_MS} after it was last seen, so that a
 * ledger that began anew is taken for what it is. Of two URLs that differ nobody can tell which is wrong. One
 * that stays behind a single other for {@link MEMORY_MS}, is asked at least that often and goes on meanwhile
 * is believed again, so that no URL can shut the others out.
 */
export class SlotFloor {
  /** How long a slot of the ledger takes. */
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

  /** The lowest slots for what is asked for now at a commitment. */
  at(commitment: Commitment): LowestSlot {
    const reached = this.#reached(commitment);
    const enough = this.#enough(commitment);
    return (by) => {
      const [first, second] = [...reached]
        .filter(([other]) => other !== by)
        .map(([, slot]) => slot)
        .toSorted((a, b) => b - a);
      const alone = Math.min(first ?? -1, enough.get(by) ?? Infinity);
      const lowest = Math.max(reached.get(by) ?? -1, second ?? -1, alone);
      return lowest < 0 ? undefined : lowest;
    };
  }

  /**
   * The URL at a position answered at a commitment from this slot. A slot that no ledger can have come to is
   * not remembered: one URL that names it would have all others count as behind.
   */
  raise(commitment: Commitment, by: number, slot: number): void {
    const { reached, behind } = this.#marks[commitment];
    if (slot >= Math.max(...this.#reached(commitment).values())) behind.delete(by);
    else if (behind.has(by)) this.fallBehind(commitment, by, slot);
    const own = reached.get(by);
    const isBack = own !== undefined && this.#isFresh(own) && slot < own.slot;
    if (!isBack && this.#isWithinReach(commitment, slot)) reached.set(by, { slot, at: this.#clock.now() });
  }

  /** The URL at a position is at this slot, which is too low. */
  fallBehind(commitment: Commitment, by: number, slot: number): void {
    const { behind } = this.#marks[commitment];
    const known = behind.get(by);
    const now = this.#clock.now();
    const hasGoneOn = known !== undefined && this.#isFresh(known.last) && slot >= this.#due(known.last, now);
    // The time is that of the first answer from a slot, so that a node standing still is found out.
    const last = hasGoneOn && slot <= known.last.slot ? known.last : { slot, at: now };
    behind.set(by, { since: hasGoneOn ? known.since : now, last });
  }

  /**
   * Reckoned from a fixed slot for {@link MEMORY_MS}: from the highest each time, many answers at once would
   * lead anywhere.
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

  /** The least that is asked of the URLs that were behind for long and went on, by their positions. */
  #enough(commitment: Commitment): Map<number, number> {
    const now = this.#clock.now();
    const enough = new Map<number, number>();
    for (const [by, { since, last }] of this.#marks[commitment].behind)
      if (now - since >= MEMORY_MS && this.#isFresh(last)) enough.set(by, this.#due(last, now));
    return enough;
  }

  /** What a URL that goes on has come to at least, at half the speed it should have. */
  #due({ slot, at }: Seen, now: number): number {
    return slot + Math.floor((now - at) / (2 * this.slotMs)) - STILL_SLOTS;
  }

  /** The highest slot of each URL that an answer at a commitment can be compared with. */
  #reached(commitment: Commitment): Map<number, number> {
    const highest = new Map<number, number>();
    for (const other of AT_LEAST[commitment])
      for (const [by, seen] of this.#marks[other].reached)
        if (this.#isFresh(seen)) highest.set(by, Math.max(seen.slot, highest.get(by) ?? 0));
    return highest;
  }

  #isFresh({ at }: Seen): boolean {
    const ageMs = this.#clock.now() - at;
    // A clock that was set back makes the age negative, which says nothing.
    return ageMs >= 0 && ageMs <= MEMORY_MS;
  }
}

/** What is known at one commitment, by the positions of the URLs. */
class Marks {
  readonly reached = new Map<number, Seen>();
  readonly behind = new Map<number, Behind>();
  anchor: Seen | null = null;
}
