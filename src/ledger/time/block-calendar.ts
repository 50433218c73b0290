import type { TimeAnchor } from '../store/store.ts';

/** The first slot of a new ledger. The 512 blocks before it fill the SlotHashes sysvar from the start. */
export const FIRST_SLOT = 512;

/** Slots without a gap, from an anchor to the last block before the next anchor. */
interface Stretch {
  readonly anchor: TimeAnchor;
  /** Number of earlier slots without a block. */
  readonly skipped: number;
  /** The time of the previous slot, Unix seconds. Time stands still if the machine's clock goes back. */
  readonly secondsMin: number;
}

/**
 * Maps past and current slots to the heights and times of their blocks.
 *
 * Every slot has a block except those skipped by time travel. After a crash the ledger resumes above all
 * slots that clients may have seen. All of these have a block, because it is unknown which of them clients
 * saw. The last blocks are empty.
 *
 * The first block belongs to slot 0, as on a cluster. The blocks before {@link FIRST_SLOT} are empty. A
 * ledger that starts at a later slot (by request, or as a fork) starts with the block of the previous slot,
 * because one finished block must exist. Its heights count earlier blocks too, although it does not have
 * them.
 */
export class BlockCalendar {
  readonly #stretches: Stretch[] = [];

  /** @param anchors at least one, in ascending order of slots. */
  constructor(anchors: readonly TimeAnchor[]) {
    for (const anchor of anchors) this.add(anchor);
  }

  /** The slot of the first block. */
  get firstSlot(): number {
    return (this.#stretches[0] as Stretch).anchor.slot;
  }

  /** Adds an anchor after all others. */
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

  /** Returns the height of a slot's block; undefined for a slot without a block. Accepts future slots. */
  heightOf(slot: number): number | undefined {
    const at = this.#indexOf(slot);
    const next = this.#stretches[at + 1];
    if (at < 0 || (next !== undefined && slot > next.anchor.afterSlot)) return undefined;
    return slot - (this.#stretches[at] as Stretch).skipped;
  }

  /** Returns the height of the newest block up to a slot. Slots before the first block count as blocks. */
  heightUpTo(slot: number): number {
    const at = this.#indexOf(slot);
    if (at < 0) return slot;
    const { skipped } = this.#stretches[at] as Stretch;
    return Math.min(slot, this.#stretches[at + 1]?.anchor.afterSlot ?? slot) - skipped;
  }

  /** Returns the slot of the block at a height. Slots before the ledger's first block count as blocks. */
  slotAt(height: number): number {
    const stretch = this.#stretches.findLast(({ anchor, skipped }) => anchor.slot - skipped <= height);
    return height + (stretch?.skipped ?? 0);
  }

  /** Returns the start of a slot with a block, Unix seconds. */
  timeOf(slot: number): number {
    return secondsAt(this.#stretches[Math.max(0, this.#indexOf(slot))] as Stretch, slot);
  }

  /** Yields the slots with a block from `from` to `to` inclusive, in ascending order. */
  *slotsBetween(from: number, to: number): Iterable<number> {
    for (let at = Math.max(0, this.#indexOf(from)); at < this.#stretches.length; at++) {
      const end = Math.min(to, this.#stretches[at + 1]?.anchor.afterSlot ?? to);
      for (let slot = Math.max(from, (this.#stretches[at] as Stretch).anchor.slot); slot <= end; slot++) {
        yield slot;
      }
    }
  }

  /** Returns the index of the last stretch that starts at or before a slot; -1 if there is none. */
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
