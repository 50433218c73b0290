import { hash } from 'node:crypto';
import { BLOCKHASH_AGE_MAX } from '../time/blockhashes.ts';

/**
 * The messages that landed, for as long as their blockhashes are good: what tells a transaction that is sent twice.
 * Messages count rather than signatures, because a signer can sign one message in more than one way.
 */
export class SeenMessages {
  readonly #ageMax: number;
  readonly #digests = new Set<string>();
  /** By the height of the blockhash. */
  readonly #byHeight = new Map<number, string[]>();

  /** @param ageMax blocks for which a blockhash is good. */
  constructor(ageMax: number = BLOCKHASH_AGE_MAX) {
    this.#ageMax = ageMax;
  }

  has(digest: string): boolean {
    return this.#digests.has(digest);
  }

  /** @param blockhashHeight the height of the block whose hash the message carries. */
  add(digest: string, blockhashHeight: number): void {
    this.#digests.add(digest);
    const digests = this.#byHeight.get(blockhashHeight);
    if (digests === undefined) this.#byHeight.set(blockhashHeight, [digest]);
    else digests.push(digest);
  }

  /** Forgets the messages whose blockhashes are too old at `height`. */
  advanceTo(height: number): void {
    for (const [blockhashHeight, digests] of this.#byHeight) {
      if (height - blockhashHeight <= this.#ageMax) continue;
      for (const digest of digests) this.#digests.delete(digest);
      this.#byHeight.delete(blockhashHeight);
    }
  }
}

/** What a message is known by: sha256, in the form node:crypto is fastest in. */
export function digestMessage(message: Uint8Array): string {
  return hash('sha256', message, 'latin1' as 'hex');
}
