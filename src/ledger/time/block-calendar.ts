import type { TimeAnchor } from '../store/store.ts';

/**
 * The slot a new ledger begins at: with 512 blocks before it, the SlotHashes sysvar is full from the start.
 */
export const FIRST_SLOT = 512;

/** A run of slots without a gap: from an anchor to the last slot before the next. */
interface Stretch {
  readonly anchor: TimeAnchor;
  /** Slots before it that have no block. */
  readonly skipped: number;
  /**
   * The time of the last slot before it, Unix seconds: time does not go back where the machine's clock did.
   */
  readonly secondsMin: number;
}

/**
 * Which slots have a block, the how manieth it is, and when it began; for the past as for the present.
 *
 * Every slot has a block but those that time travel jumped over. After a crash the ledger goes on above all
 * slots it may have told anybody; nobody knows any more which of them it told, so all of them have a block,
 * the last ones an empty one.
 *
 * The first block is that of slot 0, as on a cluster; those before {@link FIRST_SLOT} are empty, and as far
 * apart in time as those after it. A ledger that begins at a later slot, because it was told to or goes on
 * from another cluster, begins with the block of the slot before, so that there is one that is over. A
 * block's height counts the blocks before it, and those that such a ledger lacks.
 */
export class BlockCalendar {
  readonly #stretches: Stretch[] = [];

  /** @param anchors one at least, in ascending order of slots. */
  constructor(anchors: readonly TimeAnchor[]) {
    for (const anchor of anchors) this.add(anchor);
  }

  /** The slot of the first block. */
  get firstSlot(): number {
    return (this.#stretches[0] as Stretch).anchor.slot;
  }

  /** Begins a new stretch, after all others. */
  add(anchor: TimeAnchor): void {
    const last = this.#stretches.at(-1);
    this.#stretches.push(
      last === undefined
        ? { anchor: withEarlierBlocks(anchor), skipped: 0, secondsMin: -Infinity }
        : {
            anchor,
            skipped: last.skipped + anchor.slot - anchor.afterSlot - 1,
            secondsMin: secondsAt(last, anchor.afterSlot),
          },
    );
  }

  /** The height of the block of a slot; undefined for a slot without one. The future has blocks as well. */
  heightOf(slot: number): number | undefined {
    const at = this.#indexOf(slot);
    const next = this.#stretches[at + 1];
    if (at < 0 || (next !== undefined && slot > next.anchor.afterSlot)) return undefined;
    return slot - (this.#stretches[at] as Stretch).skipped;
  }

  /**
   * The height of the newest block up to a slot. Blocks before the ledger's first are counted on backwards.
   */
  heightUpTo(slot: number): number {
    const at = this.#indexOf(slot);
    if (at < 0) return slot;
    const { skipped } = this.#stretches[at] as Stretch;
    return Math.min(slot, this.#stretches[at + 1]?.anchor.afterSlot ?? slot) - skipped;
  }

  /** The slot of the block at a height. Blocks before the ledger's first are counted on backwards. */
  slotAt(height: number): number {
    const stretch = this.#stretches.findLast(({ anchor, skipped }) => anchor.slot - skipped <= height);
    return height + (stretch?.skipped ?? 0);
  }

  /** When a slot with a block began, Unix seconds. */
  timeOf(slot: number): number {
    return secondsAt(this.#stretches[Math.max(0, this.#indexOf(slot))] as Stretch, slot);
  }

  /** Slots from `from` to `to`, both included, that have a block, in ascending order. */
  *slotsBetween(from: number, to: number): Iterable<number> {
    for (let at = Math.max(0, this.#indexOf(from)); at < this.#stretches.length; at++) {
      const end = Math.min(to, this.#stretches[at + 1]?.anchor.afterSlot ?? to);
      for (let slot = Math.max(from, (this.#stretches[at] as Stretch).anchor.slot); slot <= end; slot++) {
        yield slot;
      }
    }
  }

  /** Where the stretch is that begins at a slot or last before it; -1 before the ledger began. */
  #indexOf(slot: number): number {
    return this.#stretches.findLastIndex(({ anchor }) => anchor.slot <= slot);
  }
}

function withEarlierBlocks(first: TimeAnchor): TimeAnchor {
  const slot = first.slot > FIRST_SLOT ? first.slot - 1 : 0;
  const unixMs = first.unixMs - (first.slot - slot) * first.slotMs;
  return { ...first, slot, unixMs, afterSlot: slot - 1 };
}

function secondsAt({ anchor, secondsMin }: Stretch, slot: number): number {
  return Math.max(secondsMin, Math.floor((anchor.unixMs + (slot - anchor.slot) * anchor.slotMs) / 1_000));
}
