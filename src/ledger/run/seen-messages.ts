import { hash } from 'node:crypto';
import { BLOCKHASH_AGE_MAX } from '../time/blockhashes.ts';

/**
 * The messages that landed, for as long as their blockhashes are good: what tells a transaction that is sent
 * twice. Messages count rather than signatures, because a signer can sign one message in more than one way.
 *
 * They are sorted by the blockhash they carry, which is part of them: most that are asked for carry one that
 * nothing has landed with, and then need not be hashed.
 */
export class SeenMessages {
  readonly #ageMax: number;
  /** Digests by the height of the blockhash. */
  readonly #digests = new Map<number, Set<string>>();

  /** @param ageMax blocks for which a blockhash is good. */
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

  /** Forgets the messages whose blockhashes are too old at `height`. */
  advanceTo(height: number): void {
    for (const blockhashHeight of this.#digests.keys()) {
      if (height - blockhashHeight > this.#ageMax) this.#digests.delete(blockhashHeight);
    }
  }
}

/** What a message is known by: sha256, in the form node:crypto is fastest in. */
function digestMessage(message: Uint8Array): string {
  return hash('sha256', message, 'latin1' as 'hex');
}
