import { createHash } from 'node:crypto';
import { decodeTransaction, messageOf } from '../../solana/transaction.ts';
import type { LandedMessage, LedgerIdentity, TimeAnchor } from '../store/store.ts';
import { BlockCalendar } from '../time/block-calendar.ts';
import { Blockhashes } from '../time/blockhashes.ts';

/** What a ledger's blockhashes come of. */
interface BlockhashSource {
  readonly blockhashSeed: LedgerIdentity['blockhashSeed'];
  readonly timeAnchors: readonly TimeAnchor[];
  readonly slotCeiling: number;
  /** Blocks for which one is good after its own. */
  readonly blockhashAgeMax: number;
}

/**
 * Works out by which messages a ledger knows transactions that are sent to it again: those whose blockhashes
 * are good when it is opened.
 */
export class LandedMessages {
  readonly #height: number;
  readonly #ageMax: number;
  readonly #blockhashes: Blockhashes;

  constructor({ blockhashSeed, timeAnchors, slotCeiling, blockhashAgeMax }: BlockhashSource) {
    this.#height = new BlockCalendar(timeAnchors).heightUpTo(slotCeiling);
    this.#ageMax = blockhashAgeMax;
    this.#blockhashes = new Blockhashes(blockhashSeed, this.#height, blockhashAgeMax);
  }

  /** That of a landed transaction; undefined where its blockhash is no good any more, or a durable nonce. */
  of(wire: Uint8Array): LandedMessage | undefined {
    const transaction = decodeTransaction(wire);
    const { blockhashAt } = transaction;
    const age = this.#blockhashes.ageOf(wire.subarray(blockhashAt, blockhashAt + 32));
    if (age === undefined || age > this.#ageMax) return undefined;
    const digest = createHash('sha256').update(messageOf(transaction)).digest();
    return { blockhashHeight: this.#height - age, digest, expiredBelow: this.#height - this.#ageMax };
  }
}
