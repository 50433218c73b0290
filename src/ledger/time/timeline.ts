import { ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { CLOCK_SYSVAR, RECENT_BLOCKHASHES_SYSVAR, SLOT_HASHES_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { BlockPlace } from '../block.ts';
import type { TimeAnchor } from '../store/store.ts';
import { BlockCalendar } from './block-calendar.ts';
import { BLOCKHASH_AGE_MAX, Blockhashes } from './blockhashes.ts';
import { SlotClock } from './slot-clock.ts';
import { clockSysvar, EPOCH_SLOTS, recentBlockhashesSysvar, slotHashesSysvar } from './sysvars.ts';

/** The latest slot one can travel to; as many are left after it before numbers stop being exact. */
const TRAVEL_SLOT_MAX = 2 ** 52;

/** The latest time one can travel to, ms: the last that ECMAScript can express. */
const TRAVEL_MS_MAX = 8.64e15;

/** Where and how a ledger's time begins. */
interface TimelineStart {
  /** In ascending order; time begins now with the slot of the last one. */
  readonly anchors: readonly TimeAnchor[];
  /** 32 secret bytes. */
  readonly blockhashSeed: Uint8Array;
  /** What the sysvar of recent blockhashes says a signature costs. */
  readonly lamportsPerSignature: bigint;
  /** Blocks for which a blockhash is good after its own; {@link BLOCKHASH_AGE_MAX} when left out. */
  readonly blockhashAgeMax?: number | undefined;
  /** Slots of an epoch; {@link EPOCH_SLOTS} when left out. */
  readonly epochSlots?: number | undefined;
}

/**
 * The present of a ledger and how it came there: its slot, the heights, hashes and times of its blocks, and
 * the sysvars that tell programs about them.
 *
 * What is counted in blocks does not age when time travel jumps over slots, as on a validator that warps:
 * blockhashes, the heights up to which they are valid, and the cool-down of lookup tables.
 */
export class Timeline {
  /** Blocks for which a blockhash is good after its own. */
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

  /** Blocks below that of the present slot. */
  get blockHeight(): number {
    return this.#blockHeight;
  }

  /** When the slot began, Unix seconds. */
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

  /** Where slots are counted from now; another object whenever that changes, and then it has to be kept. */
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

  /** The slot the clock named at the last {@link advance}, which may be one that must not be entered yet. */
  get due(): number {
    return this.#slots.due;
  }

  /**
   * Moves to the slot the clock names, but none above `slotMax`; true when that is a new one. Costs next to
   * nothing when it is not.
   */
  advance(slotMax?: number): boolean {
    const { slot } = this;
    if (!this.#slots.advance(slotMax)) return false;
    this.#enter(slot);
    return true;
  }

  /**
   * Where slots would be counted from after a jump to a later slot: the ledger's time goes on from `unixMs`,
   * or has moved by as many slots.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS for a slot or a time that is not later or too late to be
   *   counted.
   */
  planJump(target: { readonly slot: number; readonly unixMs?: number }): TimeAnchor {
    const { slot } = this;
    assertLater('slot', target.slot, slot, TRAVEL_SLOT_MAX);
    const { anchor } = this.#slots;
    const beganMs = anchor.unixMs + (slot - anchor.slot) * this.#slotMs;
    // Time stands still for a while where the machine's clock was set back.
    const presentMs = Math.max(beganMs, this.unixTimestamp * 1_000);
    const unixMs = target.unixMs ?? presentMs + (target.slot - slot) * this.#slotMs;
    assertLater('time', unixMs, presentMs, TRAVEL_MS_MAX);
    const aheadMs = unixMs - this.#clock.now();
    return { slot: target.slot, unixMs, slotMs: this.#slotMs, afterSlot: slot, aheadMs };
  }

  /** Jumps to where {@link planJump} said, which is to be asked in the same slot: that one begins now. */
  jump(to: TimeAnchor): void {
    const { slot } = this;
    this.#slots.travelTo(to);
    this.#enter(slot);
  }

  /** Lets no more slots pass by themselves. */
  pause(): void {
    this.#slots.pause();
  }

  /** Lets them pass again; true when they did not. */
  resume(): boolean {
    if (!this.isPaused) return false;
    this.#slots.resume();
    this.#keepAnchor(this.slot);
    return true;
  }

  /**
   * Blocks since the one with this hash, given as 32 bytes or base58; undefined when that is no recent hash.
   */
  ageOf(blockhash: Uint8Array | string): number | undefined {
    return typeof blockhash === 'string'
      ? this.#blockhashes.ageOfText(blockhash)
      : this.#blockhashes.ageOf(blockhash);
  }

  /** Blocks since that of a slot; undefined when it has none, negative when it is still to come. */
  blocksSince(slot: number): number | undefined {
    // The slots before the first block count as blocks, too: the SlotHashes sysvar names them.
    const height = slot < this.firstSlot ? slot : this.heightOf(slot);
    return height === undefined ? undefined : this.#blockHeight - height;
  }

  /** The height of the block of a slot; undefined when it has none. */
  heightOf(slot: number): number | undefined {
    return this.#calendar.heightOf(slot);
  }

  /** The newest block up to a slot, which is the ledger's first or a later one. */
  newestBlock(slot: number): BlockPlace {
    const blockHeight = this.#calendar.heightUpTo(slot);
    return { slot: this.slotAt(blockHeight), blockHeight };
  }

  /**
   * How many slots from `from` to `to`, both included, have a block by now. The slots before the first
   * block count as blocks, as they do in heights.
   */
  countBetween(from: number, to: number): number {
    return this.#calendar.heightUpTo(Math.min(to, this.slot)) - this.#calendar.heightUpTo(from - 1);
  }

  /** The slot of the block at a height. */
  slotAt(height: number): number {
    return this.#calendar.slotAt(height);
  }

  /** When a slot with a block began, Unix seconds. */
  timeOf(slot: number): number {
    return this.#calendar.timeOf(slot);
  }

  /** The hash of the block at a height, as base58. */
  blockhashAt(height: number): string {
    return encodeBase58(this.#blockhashes.at(height));
  }

  /** Up to `limit` slots from `from` to `to`, both included, that have a block by now, in ascending order. */
  slotsBetween(from: number, to: number, limit: number): number[] {
    const slots: number[] = [];
    for (const slot of this.#calendar.slotsBetween(from, Math.min(to, this.slot))) {
      if (slots.length >= limit) break;
      slots.push(slot);
    }
    return slots;
  }

  /** The sysvars that change with the slot. */
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

  /** Brings everything to the slot the clock is at now. */
  #enter(before: number): void {
    this.#keepAnchor(before);
    this.#blockHeight = this.#calendar.heightOf(this.slot) as number;
    this.#blockhashes.advanceTo(this.#blockHeight);
    this.#blockhash = this.#blockhashes.at(this.#blockHeight);
    this.#blockhashText = encodeBase58(this.#blockhash);
  }

  /** Enters it into the calendar when slots are counted from somewhere else now. */
  #keepAnchor(afterSlot: number): void {
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
