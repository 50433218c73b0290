import { ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { CLOCK_SYSVAR, RECENT_BLOCKHASHES_SYSVAR, SLOT_HASHES_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { BlockPlace } from '../ledger.ts';
import type { TimeAnchor } from '../store/store.ts';
import { BlockCalendar } from './block-calendar.ts';
import { BLOCKHASH_AGE_MAX, Blockhashes } from './blockhashes.ts';
import { SlotClock } from './slot-clock.ts';
import { clockSysvar, EPOCH_SLOTS, recentBlockhashesSysvar, slotHashesSysvar } from './sysvars.ts';

/** The latest slot for time travel: half of the largest exact integer. */
const TRAVEL_SLOT_MAX = 2 ** 52;

/** The latest time for time travel, in ms: the limit of ECMAScript dates. */
const TRAVEL_MS_MAX = 8.64e15;

interface TimelineStart {
  /** The time anchors, in ascending order. The slot of the last anchor starts now. */
  readonly anchors: readonly TimeAnchor[];
  /** 32 secret bytes. */
  readonly blockhashSeed: Uint8Array;
  /** Lamports per signature in the RecentBlockhashes sysvar. */
  readonly lamportsPerSignature: bigint;
  /** Blocks for which a blockhash stays valid; default {@link BLOCKHASH_AGE_MAX}. */
  readonly blockhashAgeMax?: number | undefined;
  /** Slots of an epoch; default {@link EPOCH_SLOTS}. */
  readonly epochSlots?: number | undefined;
}

/**
 * The current slot of a ledger, the heights, hashes and times of its blocks, and the sysvars that contain
 * them.
 *
 * Slots skipped by time travel do not count as blocks, as on a validator that warps. They neither age
 * blockhashes nor advance the cool-down of lookup tables.
 */
export class Timeline {
  /** Blocks for which a blockhash stays valid. */
  readonly blockhashAgeMax: number;
  /** Slots of an epoch. */
  readonly epochSlots: number;
  readonly #clock: Clock;
  readonly #slots: SlotClock;
  readonly #slotMs: number;
  readonly #calendar: BlockCalendar;
  readonly #blockhashes: Blockhashes;
  readonly #lamportsPerSignature: bigint;
  #anchor: TimeAnchor;
  #blockHeight: number;
  #blockhash: Uint8Array;
  #blockhashText: string;

  constructor(clock: Clock, start: TimelineStart) {
    const { anchors, blockhashSeed, lamportsPerSignature } = start;
    this.#clock = clock;
    this.blockhashAgeMax = start.blockhashAgeMax ?? BLOCKHASH_AGE_MAX;
    this.epochSlots = start.epochSlots ?? EPOCH_SLOTS;
    this.#anchor = anchors.at(-1) as TimeAnchor;
    this.#slotMs = this.#anchor.slotMs;
    this.#slots = new SlotClock(clock, this.#anchor, this.#slotMs, this.#anchor.aheadMs);
    this.#calendar = new BlockCalendar(anchors);
    this.#lamportsPerSignature = lamportsPerSignature;
    this.#blockHeight = this.#calendar.heightOf(this.slot) as number;
    this.#blockhashes = new Blockhashes(blockhashSeed, this.#blockHeight, this.blockhashAgeMax);
    this.#blockhash = this.#blockhashes.at(this.#blockHeight);
    this.#blockhashText = encodeBase58(this.#blockhash);
  }

  /** The slot as of the last {@link advance}. */
  get slot(): number {
    return this.#slots.slot;
  }

  /** Number of blocks before the current slot's block. */
  get blockHeight(): number {
    return this.#blockHeight;
  }

  /** The start of the slot, Unix seconds. */
  get unixTimestamp(): number {
    return this.#calendar.timeOf(this.slot);
  }

  /** The newest blockhash, 32 bytes. */
  get blockhash(): Uint8Array {
    return this.#blockhash;
  }

  /** The newest blockhash as base58. */
  get blockhashText(): string {
    return this.#blockhashText;
  }

  /** The current anchor. A new object means that it changed and must be stored. */
  get anchor(): TimeAnchor {
    return this.#anchor;
  }

  /** The slot of the first block. */
  get firstSlot(): number {
    return this.#calendar.firstSlot;
  }

  get isPaused(): boolean {
    return this.#slots.isPaused;
  }

  /** The slot of the clock at the last {@link advance}. The lease may not cover it yet. */
  get due(): number {
    return this.#slots.due;
  }

  /** Advances to the current slot of the clock, at most to `slotMax`. Returns whether the slot changed. */
  advance(slotMax?: number): boolean {
    const { slot } = this;
    if (!this.#slots.advance(slotMax)) return false;
    this.#enter(slot);
    return true;
  }

  /**
   * Returns the anchor of a jump to a later slot. The ledger's time continues from `unixMs`, or by default as
   * if the slots had passed.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS for a slot or a time that is not later, or is too large.
   */
  planJump(target: { readonly slot: number; readonly unixMs?: number }): TimeAnchor {
    const { slot } = this;
    assertLater('slot', target.slot, slot, TRAVEL_SLOT_MAX);
    const { anchor } = this.#slots;
    const beganMs = anchor.unixMs + (slot - anchor.slot) * this.#slotMs;
    // The ledger's time stands still for a while after the machine's clock was set back.
    const presentMs = Math.max(beganMs, this.unixTimestamp * 1_000);
    const unixMs = target.unixMs ?? presentMs + (target.slot - slot) * this.#slotMs;
    assertLater('time', unixMs, presentMs, TRAVEL_MS_MAX);
    const aheadMs = unixMs - this.#clock.now();
    return { slot: target.slot, unixMs, slotMs: this.#slotMs, afterSlot: slot, aheadMs };
  }

  /** Jumps to an anchor of {@link planJump}, which must have been called in the same slot. */
  jump(to: TimeAnchor): void {
    const { slot } = this;
    this.#slots.travelTo(to);
    this.#enter(slot);
  }

  /** Stops slots from advancing. */
  pause(): void {
    this.#slots.pause();
  }

  /** Lets slots advance again. Returns whether they were stopped. */
  resume(): boolean {
    if (!this.isPaused) return false;
    this.#slots.resume();
    this.#updateAnchor(this.slot);
    return true;
  }

  /** Returns the age of this hash (32 bytes or base58), in blocks; undefined if the hash is not recent. */
  ageOf(blockhash: Uint8Array | string): number | undefined {
    return typeof blockhash === 'string'
      ? this.#blockhashes.ageOfText(blockhash)
      : this.#blockhashes.ageOf(blockhash);
  }

  /** Returns the blocks since a slot's block; undefined if the slot has none, negative for a future slot. */
  blocksSince(slot: number): number | undefined {
    // Slots before the first block count as blocks, because they are in the SlotHashes sysvar.
    const height = slot < this.firstSlot ? slot : this.heightOf(slot);
    return height === undefined ? undefined : this.#blockHeight - height;
  }

  /** Returns the height of the block of a slot; undefined if it has none. */
  heightOf(slot: number): number | undefined {
    return this.#calendar.heightOf(slot);
  }

  /** Returns the newest block up to a slot, which must not be before the ledger's first. */
  newestBlock(slot: number): BlockPlace {
    const blockHeight = this.#calendar.heightUpTo(slot);
    return { slot: this.slotAt(blockHeight), blockHeight };
  }

  /** Counts the slots in an inclusive range that have a block, and those before the first block. */
  countBetween(from: number, to: number): number {
    return this.#calendar.heightUpTo(Math.min(to, this.slot)) - this.#calendar.heightUpTo(from - 1);
  }

  /** Returns the slot of the block at a height. */
  slotAt(height: number): number {
    return this.#calendar.slotAt(height);
  }

  /** Returns the start of a slot with a block, Unix seconds. */
  timeOf(slot: number): number {
    return this.#calendar.timeOf(slot);
  }

  /** Returns the hash of the block at a height, as base58. */
  blockhashAt(height: number): string {
    return encodeBase58(this.#blockhashes.at(height));
  }

  /** Returns up to `limit` slots with a block, from `from` to `to` inclusive, in ascending order. */
  slotsBetween(from: number, to: number, limit: number): number[] {
    const slots: number[] = [];
    for (const slot of this.#calendar.slotsBetween(from, Math.min(to, this.slot))) {
      if (slots.length >= limit) break;
      slots.push(slot);
    }
    return slots;
  }

  /** Returns the sysvars that change with the slot. */
  sysvars(): (readonly [Address, Account])[] {
    const height = this.#blockHeight;
    const slotAt = (past: number): number => this.slotAt(past);
    return [
      [CLOCK_SYSVAR, clockSysvar(this.slot, this.unixTimestamp, this.#slotMs, this.epochSlots)],
      [SLOT_HASHES_SYSVAR, slotHashesSysvar(height, this.#blockhashes, slotAt)],
      [
        RECENT_BLOCKHASHES_SYSVAR,
        recentBlockhashesSysvar(height, this.#blockhashes, this.#lamportsPerSignature),
      ],
    ];
  }

  /** Updates anchor, height and hashes to the current slot. */
  #enter(before: number): void {
    this.#updateAnchor(before);
    this.#blockHeight = this.#calendar.heightOf(this.slot) as number;
    this.#blockhashes.advanceTo(this.#blockHeight);
    this.#blockhash = this.#blockhashes.at(this.#blockHeight);
    this.#blockhashText = encodeBase58(this.#blockhash);
  }

  #updateAnchor(afterSlot: number): void {
    const { slot, unixMs } = this.#slots.anchor;
    if (slot === this.#anchor.slot && unixMs === this.#anchor.unixMs) return;
    const { aheadMs } = this.#slots;
    this.#anchor = { slot, unixMs, slotMs: this.#slotMs, afterSlot: Math.min(afterSlot, slot - 1), aheadMs };
    this.#calendar.add(this.#anchor);
  }
}

function assertLater(name: string, value: number, than: number, max: number): void {
  if (Number.isSafeInteger(value) && value > than && value <= max) return;
  throw new ServiceError('INVALID_ARGUMENTS', `The ${name} must be later than ${than} and at most ${max}`, {
    [name]: value,
  });
}
