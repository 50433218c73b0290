import { hash } from 'node:crypto';

interface Lifetime {
  /** URL of the ledger's node, which identifies the ledger. */
  readonly ledger: string;
  readonly height: number;
  /** The last block height at which the message can land. */
  readonly lastHeight: number;
}

/**
 * Messages that are being checked or were signed and can still land. Identical messages have one signature,
 * and a ledger executes them once. Signing a message again would pay nothing but look like a payment that
 * landed.
 */
export class SignedMessages {
  /** Lifetimes by SHA-256; null while the message is being checked. */
  readonly #lives = new Map<string, Lifetime | null>();

  /**
   * Reserves a message for one payment.
   *
   * @returns false if another payment has already claimed it.
   */
  claim(message: Uint8Array): boolean {
    const key = keyOf(message);
    if (this.#lives.has(key)) return false;
    this.#lives.set(key, null);
    return true;
  }

  /** Releases a message that no signer has seen. */
  release(message: Uint8Array): void {
    this.#lives.delete(keyOf(message));
  }

  /** Records a message that is about to be signed, and drops expired messages of the same ledger. */
  record(message: Uint8Array, life: Lifetime): void {
    for (const [key, other] of this.#lives) {
      if (other?.ledger === life.ledger && other.lastHeight < life.height) this.#lives.delete(key);
    }
    this.#lives.set(keyOf(message), life);
  }
}

const keyOf = (message: Uint8Array): string => hash('sha256', message, 'base64');
