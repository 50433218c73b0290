import { hash } from 'node:crypto';
import type { LandedMessage, LedgerStore } from '../store/store.ts';
import { BLOCKHASH_AGE_MAX } from '../time/blockhashes.ts';

interface EarlierMessages {
  /** Height of the newest block whose hash one of the messages may have. */
  readonly heightMax: number;
  readonly store: Pick<LedgerStore, 'hasMessage'>;
}

/**
 * The landed messages with valid blockhashes, to recognize a transaction that is sent twice. Messages are
 * compared instead of signatures, because a signer can produce several signatures for one message. They are
 * grouped by blockhash, because most queries name a blockhash without messages, which needs no hashing.
 * Messages of earlier processes are looked up in the store.
 */
export class SeenMessages {
  readonly #ageMax: number;
  readonly #earlier: EarlierMessages | null;
  /** Digests by the height of the blockhash. */
  readonly #digests = new Map<number, Set<string>>();

  /** @param ageMax number of blocks for which a blockhash is valid. */
  constructor(ageMax: number = BLOCKHASH_AGE_MAX, earlier: EarlierMessages | null = null) {
    this.#ageMax = ageMax;
    this.#earlier = earlier;
  }

  /** @param blockhashHeight the height of the block whose hash the message carries. */
  has(message: Uint8Array, blockhashHeight: number): boolean {
    const digests = this.#digests.get(blockhashHeight);
    const earlier =
      this.#earlier !== null && blockhashHeight <= this.#earlier.heightMax ? this.#earlier : null;
    if (digests === undefined && earlier === null) return false;
    const digest = digestMessage(message);
    if (digests?.has(digest) === true) return true;
    return earlier?.store.hasMessage({ blockhashHeight, digest: Buffer.from(digest, 'latin1') }) ?? false;
  }

  /**
   * Remembers a message, and returns its entry for the store.
   *
   * @param blockhashHeight the height of the block whose hash the message carries.
   * @param height the height of the current block.
   */
  add(message: Uint8Array, blockhashHeight: number, height: number): LandedMessage {
    const digest = digestMessage(message);
    const digests = this.#digests.get(blockhashHeight);
    if (digests === undefined) this.#digests.set(blockhashHeight, new Set([digest]));
    else digests.add(digest);
    return { blockhashHeight, digest: Buffer.from(digest, 'latin1'), expiredBelow: height - this.#ageMax };
  }

  /** Removes the messages whose blockhashes are expired at `height`. */
  advanceTo(height: number): void {
    for (const blockhashHeight of this.#digests.keys()) {
      if (height - blockhashHeight > this.#ageMax) this.#digests.delete(blockhashHeight);
    }
  }
}

/** Returns the key of a message: its sha256, in the fastest encoding of node:crypto. */
function digestMessage(message: Uint8Array): string {
  return hash('sha256', message, 'latin1' as 'hex');
}
