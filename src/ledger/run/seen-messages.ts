import { hash } from 'node:crypto';
import { BLOCKHASH_AGE_MAX } from '../time/blockhashes.ts';

/**
 * The messages that landed, for as long as their blockhashes are good: what tells a transaction that is sent twice.
 * Messages count rather than signatures, because a signer can sign one message in more than one way.
 */
export class SeenMessages {
  readonly #digests = new Set<string>();
  /** By the slot of the blockhash. */
  readonly #bySlot = new Map<number, string[]>();

  has(digest: string): boolean {
    return this.#digests.has(digest);
  }

  /** @param blockhashSlot the slot whose blockhash the message carries. */
  add(digest: string, blockhashSlot: number): void {
    this.#digests.add(digest);
    const digests = this.#bySlot.get(blockhashSlot);
    if (digests === undefined) this.#bySlot.set(blockhashSlot, [digest]);
    else digests.push(digest);
  }

  /** Forgets the messages whose blockhashes are too old at `slot`. */
  advanceTo(slot: number): void {
    for (const [blockhashSlot, digests] of this.#bySlot) {
      if (slot - blockhashSlot <= BLOCKHASH_AGE_MAX) continue;
      for (const digest of digests) this.#digests.delete(digest);
      this.#bySlot.delete(blockhashSlot);
    }
  }
}

/** What a message is known by: sha256, in the form node:crypto is fastest in. */
export function digestMessage(message: Uint8Array): string {
  return hash('sha256', message, 'latin1' as 'hex');
}
