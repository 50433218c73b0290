import type { KeyPairSigner } from '@solana/kit';
import { setTimeout as sleep } from 'node:timers/promises';
import { signAs } from '../../clients/wallet.ts';
import type { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import type { Attempt, LedgerName } from './attempts.ts';
import { openedShuttle } from './opened-shuttle.ts';
import type { DrawStep, Party, Step } from './step.ts';

/** What a walker tells and asks. */
export interface WalkerHost {
  readonly wallets: readonly KeyPairSigner[];
  readonly party: Party;
  readonly draw: DrawStep;
  readonly serviceUrl: string;
  /** Aborted once the process at that address is dead. */
  readonly stopping: AbortSignal;
  /** Is told of an attempt before it is sent, and answers the one of its signature. */
  begin(attempt: Attempt): Attempt;
  /** Is told that one was acknowledged. */
  acknowledge(): void;
}

interface Built {
  readonly transactionBase64: string;
  readonly sendTo: LedgerName;
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: number;
}

/**
 * How long a walker waits after something that was refused, ms: another wallet's turn, or a settlement, may
 * allow it.
 */
const PAUSE_MS = 20;

/**
 * One wallet that takes one step after another on both ledgers until it is stopped.
 */
export class Walker {
  readonly #host: WalkerHost;
  readonly #number: number;
  readonly #random: SeededRandom;

  constructor(host: WalkerHost, number: number, random: SeededRandom) {
    this.#host = host;
    this.#number = number;
    this.#random = random;
  }

  /** Tries one step after another until the process it talks to is dead. */
  async walk(): Promise<void> {
    const { draw, party } = this.#host;
    while (!this.#host.stopping.aborted) {
      // Whatever is not possible at the moment is refused, and another step is tried.
      const isDone = await this.#take(draw(party, this.#number, this.#random)).catch(() => false);
      if (!isDone) await sleep(PAUSE_MS);
    }
  }

  /** Whether it was acknowledged. */
  async #take({ kind, operation, args, effect }: Step): Promise<boolean> {
    const { wallets } = this.#host;
    const built = await this.#ask<Built>(`/v1/spl/${operation}`, args);
    const transactionBase64 = await signAs(wallets[this.#number] as KeyPairSigner, built.transactionBase64);
    const wire = new Uint8Array(Buffer.from(transactionBase64, 'base64'));
    const { signatures } = decodeTransaction(wire);
    const { sendTo, recentBlockhash, lastValidBlockHeight } = built;
    const drawn: Attempt = {
      kind,
      ledger: sendTo,
      signature: encodeBase58(signatures[0] as Uint8Array),
      effect,
      shuttle: openedShuttle(wire),
      isAcknowledged: false,
    };
    if (this.#host.stopping.aborted) return false;
    const attempt = this.#host.begin(drawn);
    const sent = { transactionBase64, sendTo, recentBlockhash, lastValidBlockHeight, confirm: true };
    const { outcome } = await this.#ask<{ outcome: string }>('/v1/transaction/send', sent);
    if (outcome !== 'confirmed') return false;
    attempt.isAcknowledged = true;
    this.#host.acknowledge();
    return true;
  }

  async #ask<T>(path: string, body: object): Promise<T> {
    const response = await fetch(`${this.#host.serviceUrl}${path}`, {
      method: 'POST',
      signal: this.#host.stopping,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return (await response.json()) as T;
  }
}
