import type { Clock } from '../../ports/clock.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { Blockhashes } from './blockhashes.ts';
import { SlotClock } from './slot-clock.ts';
import {
  CLOCK_SYSVAR,
  clockSysvar,
  RECENT_BLOCKHASHES_SYSVAR,
  recentBlockhashesSysvar,
  SLOT_HASHES_SYSVAR,
  slotHashesSysvar,
} from './sysvars.ts';

/** The first slot of a new ledger: with 512 before it, the SlotHashes sysvar is full from the start. */
export const FIRST_SLOT = 512;

/** Where and how a ledger's time begins. */
export interface TimelineStart {
  readonly slot: number;
  /** ms. */
  readonly slotMs: number;
  /** 32 secret bytes. */
  readonly blockhashSeed: Uint8Array;
}

/** The present of a ledger: its slot, the hashes of its blocks, and the sysvars that tell programs about both. */
export class Timeline {
  readonly #slots: SlotClock;
  readonly #slotMs: number;
  readonly #blockhashes: Blockhashes;
  #blockhash: Uint8Array;
  #blockhashText: string;

  constructor(clock: Clock, { slot, slotMs, blockhashSeed }: TimelineStart) {
    this.#slots = new SlotClock(clock, slot, slotMs);
    this.#slotMs = slotMs;
    this.#blockhashes = new Blockhashes(blockhashSeed, slot);
    this.#blockhash = this.#blockhashes.at(slot);
    this.#blockhashText = encodeBase58(this.#blockhash);
  }

  /** The slot as of the last {@link advance}. Every slot has a block, so it is the block height as well. */
  get slot(): number {
    return this.#slots.slot;
  }

  /** When the slot began, Unix seconds. */
  get unixTimestamp(): number {
    return this.#slots.unixTimestamp;
  }

  /** The newest blockhash, 32 bytes. */
  get blockhash(): Uint8Array {
    return this.#blockhash;
  }

  /** The newest blockhash as base58. */
  get blockhashText(): string {
    return this.#blockhashText;
  }

  /** Moves to the slot the clock names; true when that is a new one. Costs next to nothing when it is not. */
  advance(): boolean {
    if (!this.#slots.advance()) return false;
    this.#blockhashes.advanceTo(this.slot);
    this.#blockhash = this.#blockhashes.at(this.slot);
    this.#blockhashText = encodeBase58(this.#blockhash);
    return true;
  }

  /** Blocks since the one with this hash, given as 32 bytes or base58; undefined when that is no recent hash. */
  ageOf(blockhash: Uint8Array | string): number | undefined {
    return typeof blockhash === 'string'
      ? this.#blockhashes.ageOfText(blockhash)
      : this.#blockhashes.ageOf(blockhash);
  }

  /** The sysvars that change with the slot. */
  sysvars(): (readonly [Address, Account])[] {
    return [
      [CLOCK_SYSVAR, clockSysvar(this.slot, this.unixTimestamp, this.#slotMs)],
      [SLOT_HASHES_SYSVAR, slotHashesSysvar(this.slot, this.#blockhashes)],
      [RECENT_BLOCKHASHES_SYSVAR, recentBlockhashesSysvar(this.slot, this.#blockhashes)],
    ];
  }
}
