import type { Clock } from '../../ports/clock.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { MEMORY_MS } from './fresh-blockhash.ts';

/**
 * Slots a ledger may advance beyond twice what the elapsed time allows: nodes differ, and answers take a
 * while.
 */
const LEAP_SLOTS = 150;

/**
 * Slots by which a URL that advances may fall short of that: leaders miss turns, and nodes behind one URL
 * differ.
 */
const STILL_SLOTS = 8;

/** The slot of an answer, and when the answer arrived. */
interface Seen {
  readonly slot: number;
  readonly at: number;
}

/** Since when a URL has been behind while still advancing, and the last slot it reported. */
interface Behind {
  readonly since: number;
  readonly last: Seen;
}

/** The lowest slot acceptable from the URL at an index; undefined if any is. */
export type LowestSlot = (by: number) => number | undefined;

/**
 * The commitments each one can be compared with: a finalized block was confirmed, and a confirmed one
 * processed.
 */
const AT_LEAST: Readonly<Record<Commitment, readonly Commitment[]>> = {
  processed: ['processed', 'confirmed', 'finalized'],
  confirmed: ['confirmed', 'finalized'],
  finalized: ['finalized'],
};

/**
 * The slots of the answers of one ledger. A request made after an answer must not be answered from an older
 * slot, whichever URL it goes to: a balance would revert, and a landed transaction would vanish.
 *
 * Slots are kept per URL and expire {@link MEMORY_MS} after they were last seen, so that a ledger that was
 * reset is accepted again. When two URLs differ, nobody can tell which is wrong. A URL that stays behind a
 * single other one for {@link MEMORY_MS}, is asked at least that often and keeps advancing is trusted again,
 * so that no URL can lock out the others.
 */
export class SlotFloor {
  /** Duration of one slot of the ledger, ms. */
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

  /** The lowest acceptable slots for a request made now at a commitment. */
  at(commitment: Commitment): LowestSlot {
    const reached = this.#reached(commitment);
    const enough = this.#enough(commitment);
    return (by) => {
      const [first, second] = [...reached]
        .filter(([other]) => other !== by)
        .map(([, slot]) => slot)
        .toSorted((a, b) => b - a);
      // Two other URLs that agree always count. A single one can be outvoted by a URL that has kept
      // advancing behind it for long enough.
      const alone = Math.min(first ?? -1, enough.get(by) ?? Infinity);
      const lowest = Math.max(reached.get(by) ?? -1, second ?? -1, alone);
      return lowest < 0 ? undefined : lowest;
    };
  }

  /**
   * Records that the URL at an index answered at a commitment from this slot. A slot that no ledger can have
   * reached is ignored; otherwise one URL could make all others count as behind.
   */
  raise(commitment: Commitment, by: number, slot: number): void {
    const { reached, behind } = this.#marks[commitment];
    if (slot >= Math.max(...this.#reached(commitment).values())) behind.delete(by);
    else if (behind.has(by)) this.fallBehind(commitment, by, slot);
    const own = reached.get(by);
    // An answer that a later one has overtaken must not move the mark back.
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
   * Measured from one fixed slot for {@link MEMORY_MS}. Measured from the highest slot each time, a run of
   * answers could creep up without limit.
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

  /** The lowest slots for URLs that were behind for long but kept advancing, by index. */
  #enough(commitment: Commitment): Map<number, number> {
    const now = this.#clock.now();
    const enough = new Map<number, number>();
    for (const [by, { since, last }] of this.#marks[commitment].behind)
      if (now - since >= MEMORY_MS && this.#isFresh(last)) enough.set(by, this.#due(last, now));
    return enough;
  }

  /** The slot an advancing URL must have reached by now, at half the nominal speed. */
  #due({ slot, at }: Seen, now: number): number {
    return slot + Math.floor((now - at) / (2 * this.slotMs)) - STILL_SLOTS;
  }

  /** The highest slot of each URL that an answer at a commitment is comparable with. */
  #reached(commitment: Commitment): Map<number, number> {
    const highest = new Map<number, number>();
    for (const other of AT_LEAST[commitment])
      for (const [by, seen] of this.#marks[other].reached)
        if (this.#isFresh(seen)) highest.set(by, Math.max(seen.slot, highest.get(by) ?? 0));
    return highest;
  }

  #isFresh({ at }: Seen): boolean {
    const ageMs = this.#clock.now() - at;
    // After the clock was set back the age is negative and proves nothing.
    return ageMs >= 0 && ageMs <= MEMORY_MS;
  }
}

/** What is known at one commitment, by the index of the URL. */
class Marks {
  readonly reached = new Map<number, Seen>();
  readonly behind = new Map<number, Behind>();
  anchor: Seen | null = null;
}
