import { hash } from 'node:crypto';

interface Lifetime {
  /** What the ledger is told apart by: the URL of its node. */
  readonly ledger: string;
  /** Its block height now. */
  readonly height: number;
  /** The last block height at which the message can land. */
  readonly lastHeight: number;
}

/**
 * The messages that are being checked or have been signed, as long as they can land. Equal messages have
 * equal signatures, and a ledger takes each once: who signs one again pays nothing, and is told that it has
 * landed.
 */
export class SignedMessages {
  /** By SHA-256; null while a message is checked. */
  readonly #lives = new Map<string, Lifetime | null>();

  /**
   * Takes a message for one payment, before anything is awaited.
   *
   * @returns false if it is another payment's.
   */
  claim(message: Uint8Array): boolean {
    const key = keyOf(message);
    if (this.#lives.has(key)) return false;
    this.#lives.set(key, null);
    return true;
  }

  /** Gives back a message that no signer has seen. */
  release(message: Uint8Array): void {
    this.#lives.delete(keyOf(message));
  }

  /** Keeps a message that is signed next, and drops those of the ledger that can no longer land. */
  keep(message: Uint8Array, life: Lifetime): void {
    for (const [key, other] of this.#lives) {
      if (other?.ledger === life.ledger && other.lastHeight < life.height) this.#lives.delete(key);
    }
    this.#lives.set(keyOf(message), life);
  }
}

const keyOf = (message: Uint8Array): string => hash('sha256', message, 'base64');
