import type { KeyPairSigner } from '@solana/kit';
import { setTimeout as sleep } from 'node:timers/promises';
import { signAs } from '../../clients/wallet.ts';
import type { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import type { Attempt, LedgerName } from './attempts.ts';
import { openedShuttle } from './opened-shuttle.ts';
import type { DrawStep, Party, Step } from './step.ts';

/** Callbacks of a walker. */
export interface WalkerHost {
  readonly wallets: readonly KeyPairSigner[];
  readonly party: Party;
  readonly draw: DrawStep;
  readonly serviceUrl: string;
  /** Aborted when the process is dead. */
  readonly stopping: AbortSignal;
  /** Called before an attempt is sent. Returns the attempt with its signature. */
  begin(attempt: Attempt): Attempt;
  /** Called after an acknowledgement. */
  acknowledge(): void;
}

interface Built {
  readonly transactionBase64: string;
  readonly sendTo: LedgerName;
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: number;
}

/** Delay after a rejected step, in ms. Another wallet's step or a settlement may make it possible. */
const PAUSE_MS = 20;

/** A wallet that takes random steps on both ledgers until it is stopped. */
export class Walker {
  readonly #host: WalkerHost;
  readonly #number: number;
  readonly #random: SeededRandom;

  constructor(host: WalkerHost, number: number, random: SeededRandom) {
    this.#host = host;
    this.#number = number;
    this.#random = random;
  }

  /** Takes steps until the process is dead. */
  async walk(): Promise<void> {
    const { draw, party } = this.#host;
    while (!this.#host.stopping.aborted) {
      // Steps that are currently impossible are rejected. Then the next one is tried.
      const isDone = await this.#take(draw(party, this.#number, this.#random)).catch(() => false);
      if (!isDone) await sleep(PAUSE_MS);
    }
  }

  /** Takes a step. Returns whether it was acknowledged. */
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
