import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyPairSigner } from '@solana/kit';
import { signAs, USDC } from '../../clients/wallet.ts';
import type { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';

/** Where an operation is written. */
export type LedgerName = 'base' | 'ephemeral';

/** What an operation moves if it lands: base units by wallet, on base and in its ephemeral token account. */
interface Effect {
  readonly base: readonly (readonly [wallet: number, units: number])[];
  readonly inside: readonly (readonly [wallet: number, units: number])[];
}

/** A signed transaction that was about to be sent. */
export interface Attempt {
  readonly operation: string;
  readonly ledger: LedgerName;
  readonly signature: string;
  readonly effect: Effect;
  isAcknowledged: boolean;
}

/** What a walker tells and asks. */
export interface WalkerHost {
  readonly wallets: readonly KeyPairSigner[];
  readonly serviceUrl: string;
  /** Aborted once the process at that address is dead. */
  readonly stopping: AbortSignal;
  /** Is told of an attempt before it is sent. */
  begin(attempt: Attempt): void;
  /** Is told once it is acknowledged. */
  acknowledge(attempt: Attempt): void;
}

interface Built {
  readonly transactionBase64: string;
  readonly sendTo: LedgerName;
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: number;
}

interface Step {
  readonly operation: string;
  readonly args: object;
  readonly effect: Effect;
}

/** Base units of a deposit, a payment and a withdrawal, at most: so few that nobody ever runs out. */
const UNITS_MAX = 50;

/**
 * How long a walker waits after something that was refused, ms: another wallet's turn, or a settlement, may
 * allow it.
 */
const PAUSE_MS = 20;

/**
 * One wallet that goes into the rollup, pays there, comes back and withdraws, again and again, until it is
 * stopped.
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
    while (!this.#host.stopping.aborted) {
      // Whatever is not possible at the moment is refused, and another step is tried.
      const isDone = await this.#take(this.#draw()).catch(() => false);
      if (!isDone) await sleep(PAUSE_MS);
    }
  }

  #draw(): Step {
    const { wallets } = this.#host;
    const own = this.#number;
    const owner = wallets[own]?.address;
    const units = 1 + this.#random.integer(UNITS_MAX);
    const common = { mint: USDC, amount: units };
    const nothing: Effect = { base: [], inside: [] };
    switch (this.#random.integer(6)) {
      case 0:
      case 1:
        return {
          operation: 'deposit',
          args: { owner, ...common, private: false },
          effect: { base: [[own, -units]], inside: [[own, units]] },
        };
      case 2:
        return { operation: 'undelegate-ephemeral-ata', args: { payer: owner, mint: USDC }, effect: nothing };
      case 3:
        return {
          operation: 'withdraw',
          args: { owner, ...common },
          effect: { base: [[own, units]], inside: [[own, -units]] },
        };
      default: {
        const other = (own + 1 + this.#random.integer(wallets.length - 1)) % wallets.length;
        const between = { fromBalance: 'ephemeral', toBalance: 'ephemeral', visibility: 'private' };
        return {
          operation: 'transfer',
          args: { from: owner, to: wallets[other]?.address, ...common, ...between },
          effect: {
            base: [],
            inside: [
              [own, -units],
              [other, units],
            ],
          },
        };
      }
    }
  }

  /** Whether it was acknowledged. */
  async #take({ operation, args, effect }: Step): Promise<boolean> {
    const { wallets } = this.#host;
    const built = await this.#ask<Built>(`/v1/spl/${operation}`, args);
    const transactionBase64 = await signAs(wallets[this.#number] as KeyPairSigner, built.transactionBase64);
    const { signatures } = decodeTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64')));
    const { sendTo, recentBlockhash, lastValidBlockHeight } = built;
    const attempt: Attempt = {
      operation,
      ledger: sendTo,
      signature: encodeBase58(signatures[0] as Uint8Array),
      effect,
      isAcknowledged: false,
    };
    if (this.#host.stopping.aborted) return false;
    this.#host.begin(attempt);
    const sent = { transactionBase64, sendTo, recentBlockhash, lastValidBlockHeight, confirm: true };
    const { outcome } = await this.#ask<{ outcome: string }>('/v1/transaction/send', sent);
    if (outcome !== 'confirmed') return false;
    attempt.isAcknowledged = true;
    this.#host.acknowledge(attempt);
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
