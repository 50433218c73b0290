import type { Chain } from '../../chain/chain.ts';
import { readMint } from '../../payments/mints/mint-facts.ts';
import type { JsonObject } from '../../service/input/json-object.ts';
import type { Address } from '../../solana/address.ts';
import type { Price } from './prices.ts';

/** Time that a payer has to pay, in seconds. A blockhash of a network lives for 30 s or longer. */
export const PAY_WITHIN_SECONDS = 60;

/** The place where a price is paid. */
interface Market {
  readonly price: Price;
  /** CAIP-2. */
  readonly network: string;
  readonly chain: Chain;
  /** The address that pays the network fees. */
  readonly feePayer: Address;
}

/** The terms of a price, in both protocols. */
export class Terms {
  readonly #market: Market;

  constructor(market: Market) {
    this.#market = market;
  }

  get price(): Price {
    return this.#market.price;
  }

  /**
   * Returns the requirement of x402.
   *
   * @param memo the memo that the transaction must have; omitted if the payer chooses it.
   */
  requirement(memo?: string): JsonObject {
    const { price, network, feePayer } = this.#market;
    const { amount, mint: asset, payTo, settlement } = price;
    return {
      scheme: 'exact',
      network,
      amount,
      asset,
      payTo,
      maxTimeoutSeconds: PAY_WITHIN_SECONDS,
      extra: {
        feePayer,
        ...(memo !== undefined && { memo }),
        ...(settlement !== undefined && { settlement }),
      },
    };
  }

  /**
   * Returns the requirement of x402 and the request of MPP for a new payment. Both have a blockhash of the
   * ledger on which it settles, so payers need no node of that ledger.
   *
   * @param externalId makes the transaction unique, and is its memo.
   * @throws {ServiceError} UPSTREAM_* and others if the ledger or the mint cannot be read.
   */
  async offer(externalId: string): Promise<{ requirement: JsonObject; request: JsonObject }> {
    const { price, chain, feePayer } = this.#market;
    const ledger = price.settlement === 'private' ? (chain.rollup ?? chain) : chain;
    const [{ blockhash: recentBlockhash, lastValidBlockHeight }, { decimals, tokenProgram }] =
      await Promise.all([ledger.latestBlockhash(), readMint(chain, price.mint as Address)]);
    const requirement = this.requirement();
    const extra = { ...(requirement['extra'] as JsonObject), recentBlockhash, lastValidBlockHeight };
    return {
      requirement: { ...requirement, extra },
      request: {
        amount: price.amount,
        currency: price.mint,
        recipient: price.payTo,
        externalId,
        methodDetails: {
          network: chain.network,
          decimals,
          tokenProgram,
          feePayer: true,
          feePayerKey: feePayer,
          recentBlockhash,
        },
      },
    };
  }
}
