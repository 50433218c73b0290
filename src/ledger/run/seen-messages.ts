import { hash } from 'node:crypto';
import { BLOCKHASH_AGE_MAX } from '../time/blockhashes.ts';

/**
 * The messages that landed while their blockhashes are valid, to recognise a transaction that is sent twice.
 * Messages rather than signatures are compared, because a signer can produce several signatures for one
 * message. They are grouped by their blockhash: most queries carry one that nothing has landed with, and need
 * no hashing.
 */
export class SeenMessages {
  readonly #ageMax: number;
  /** Digests by the height of the blockhash. */
  readonly #digests = new Map<number, Set<string>>();

  /** @param ageMax how many blocks a blockhash is valid. */
  constructor(ageMax: number = BLOCKHASH_AGE_MAX) {
    this.#ageMax = ageMax;
  }

  /** @param blockhashHeight the height of the block whose hash the message carries. */
  has(message: Uint8Array, blockhashHeight: number): boolean {
    return this.#digests.get(blockhashHeight)?.has(digestMessage(message)) ?? false;
  }

  /** @param blockhashHeight the height of the block whose hash the message carries. */
  add(message: Uint8Array, blockhashHeight: number): void {
    const digest = digestMessage(message);
    const digests = this.#digests.get(blockhashHeight);
    if (digests === undefined) this.#digests.set(blockhashHeight, new Set([digest]));
    else digests.add(digest);
  }

  /** Forgets the messages whose blockhashes are expired at `height`. */
  advanceTo(height: number): void {
    for (const blockhashHeight of this.#digests.keys()) {
      if (height - blockhashHeight > this.#ageMax) this.#digests.delete(blockhashHeight);
    }
  }
}

/** The key of a message: its sha256, in the encoding node:crypto is fastest in. */
function digestMessage(message: Uint8Array): string {
  return hash('sha256', message, 'latin1' as 'hex');
}
