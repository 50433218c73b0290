import type { Address } from '../solana/address.ts';
import type { BlockPlace } from './block.ts';
import type { BlockReads, Head } from './ledger.ts';

/**
 * Slots and blocks as another ledger has them, for one that stands before it. Of accounts and transactions
 * nothing is forwarded: who hides some of them has to say for every way to read them what it shows.
 */
export abstract class ForwardedBlocks<Source extends BlockReads> implements BlockReads {
  protected readonly ledger: Source;

  constructor(ledger: Source) {
    this.ledger = ledger;
  }

  get identity(): Address {
    return this.ledger.identity;
  }

  get genesisHash(): string {
    return this.ledger.genesisHash;
  }

  get slotMs(): number {
    return this.ledger.slotMs;
  }

  get epochSlots(): number {
    return this.ledger.epochSlots;
  }

  get isRunning(): boolean {
    return this.ledger.isRunning;
  }

  head(): Head {
    return this.ledger.head();
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.ledger.isBlockhashValid(blockhash);
  }

  firstSlot(): number {
    return this.ledger.firstSlot();
  }

  finishedSlot(): number {
    return this.ledger.finishedSlot();
  }

  finishedHead(): BlockPlace {
    return this.ledger.finishedHead();
  }

  slotsWithBlocks(from: number, to: number, limit: number): readonly number[] {
    return this.ledger.slotsWithBlocks(from, to, limit);
  }

  countBlocks(from: number, to: number): number {
    return this.ledger.countBlocks(from, to);
  }

  transactionCount(): number {
    return this.ledger.transactionCount();
  }
}
