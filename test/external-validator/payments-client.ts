import type { KeyPairSigner } from '@solana/kit';
import { signAs, USDC } from '../../clients/wallet.ts';

/** The common members of responses with a built transaction. */
interface Built {
  readonly transactionBase64: string;
  readonly sendTo: 'base' | 'ephemeral';
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: number;
}

/** A client of the service's REST API, as in a wallet application. Throws on every error response. */
export class PaymentsClient {
  readonly #url: string;

  constructor(serviceUrl: string) {
    this.#url = serviceUrl;
  }

  build(operation: string, args: object): Promise<Built> {
    return this.#ask(`/v1/spl/${operation}`, args);
  }

  /** Builds, signs and sends a transaction, and waits until it has landed. Returns the built one. */
  async do(wallet: KeyPairSigner, operation: string, args: object): Promise<Built> {
    const built = await this.build(operation, args);
    const { sendTo, recentBlockhash, lastValidBlockHeight } = built;
    const transactionBase64 = await signAs(wallet, built.transactionBase64);
    const sent = { transactionBase64, sendTo, recentBlockhash, lastValidBlockHeight, confirm: true };
    const { outcome } = await this.#ask<{ outcome: string }>('/v1/transaction/send', sent);
    if (outcome !== 'confirmed') throw new Error(`${operation} was ${outcome}`);
    return built;
  }

  /** Makes the rollup process the transfer queue of a mint; layout B. */
  async ensureQueueCrank(mint: string): Promise<void> {
    await this.#ask('/v1/spl/transfer-queue/ensure-crank', { mint });
  }

  async balanceOnBase({ address }: KeyPairSigner): Promise<string> {
    return (await this.#ask<{ balance: string }>(`/v1/spl/balance?address=${address}&mint=${USDC}`)).balance;
  }

  async balanceInRollup({ address }: KeyPairSigner): Promise<string> {
    const path = `/v1/spl/private-balance?address=${address}&mint=${USDC}`;
    return (await this.#ask<{ balance: string }>(path)).balance;
  }

  async #ask<T>(path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.#url}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
}
