import type { Clusters } from '../../chain/clusters.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { isJsonObject, type JsonObject } from '../../service/input/json-object.ts';
import {
  PaymentDemanded,
  type Paying,
  type Receipt,
  type Sale,
  type ShownPrice,
  type Till,
} from '../../service/paid/till.ts';
import type { Address } from '../../solana/address.ts';
import type { Facilitator } from '../facilitator.ts';
import { servedNetworks } from '../networks.ts';
import { InvalidRequest } from '../refusal.ts';
import type { SettleResponse } from '../settle-response.ts';
import { PAYMENT_IDENTIFIER } from '../wire.ts';
import { formatTime } from '../../ports/clock.ts';
import type { Challenges } from './challenges.ts';
import { type SignJws, signOffers, signReceipt } from './offer-receipt.ts';
import type { Price } from './prices.ts';
import { PAY_WITHIN_SECONDS, Terms } from './terms.ts';

const EXTERNAL_ID_BYTES = 16;

/** The problems of MPP (draft-httpauth-payment, section 8) with their titles. */
const PROBLEMS = {
  'payment-required': 'Payment Required',
  'payment-insufficient': 'Payment Insufficient',
  'payment-expired': 'Payment Expired',
  'verification-failed': 'Verification Failed',
  'malformed-credential': 'Malformed Credential',
  'invalid-challenge': 'Invalid Challenge',
} as const;

type ProblemName = keyof typeof PROBLEMS;

/** The reason why a call is not run or not answered. */
interface Fault {
  readonly problem: ProblemName;
  readonly detail: string;
  /** In the words of x402. */
  readonly reason: string;
  readonly settlement?: SettleResponse;
}

const UNPAID: Fault = {
  problem: 'payment-required',
  reason: 'payment required',
  detail: 'This call has a price. Pay with x402 (PAYMENT-SIGNATURE) or MPP (Payment)',
};

/** A payment as the facilitator takes it, and how its receipt is written. */
interface OfferedPayment {
  readonly body: JsonObject;
  writeReceipt(settled: SettleResponse): Receipt;
}

interface TillParts {
  readonly facilitator: Pick<Facilitator, 'verify' | 'settle' | 'find'>;
  readonly prices: ReadonlyMap<string, Price>;
  readonly clusters: Clusters;
  readonly challenges: Challenges;
  /** The address that pays the network fees. */
  readonly feePayer: Address;
  readonly signJws: SignJws;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Creates the till of a service. Payments of both protocols are verified by the rules of x402, and settled by
 * the same facilitator after the call has succeeded.
 *
 * @throws {ServiceError} CONFIG_INVALID if no cluster serves the network of a price.
 */
export function createTill(parts: TillParts): Till {
  const terms = new Map(Array.from(parts.prices, ([tool, price]) => [tool, termsOf(price, parts)] as const));
  return {
    priceOf: (tool) => {
      const found = terms.get(tool);
      return found && show(found.price);
    },
    async open(tool, paying) {
      const found = terms.get(tool);
      if (found === undefined) throw new Error(`${tool} has no price`);
      return await new Counter(parts, tool, found, paying).sell();
    },
  };
}

function termsOf(price: Price, { clusters, feePayer }: TillParts): Terms {
  const networks = servedNetworks(clusters);
  const market = networks.find(
    ({ caip2, name }) => price.network === undefined || price.network === caip2 || price.network === name,
  );
  if (market !== undefined) {
    return new Terms({ price, network: market.caip2, chain: market.chain, feePayer });
  }
  const served = networks.map(({ caip2 }) => caip2).join(', ') || 'none';
  throw new ServiceError(
    'CONFIG_INVALID',
    `The file PRICES names the network ${price.network ?? 'of the default cluster'}, which is not served: use one of ${served}`,
  );
}

const show = ({ amount, mint, payTo }: Price): ShownPrice => ({
  sentence: `Each call costs ${amount} base units of mint ${mint}, paid with x402 or MPP.`,
  info: {
    offers: [
      { method: 'solana', intent: 'charge', amount, currency: mint },
      { method: 'x402', intent: 'exact', amount, currency: mint, recipient: payTo },
    ],
  },
});

/** One call of a tool with a price. */
class Counter {
  readonly #parts: TillParts;
  readonly #tool: string;
  readonly #terms: Terms;
  readonly #paying: Paying;

  constructor(parts: TillParts, tool: string, terms: Terms, paying: Paying) {
    this.#parts = parts;
    this.#tool = tool;
    this.#terms = terms;
    this.#paying = paying;
  }

  async sell(): Promise<Sale> {
    const { facilitator } = this.#parts;
    const payment = await this.#readOffer();
    const {
      isValid,
      invalidReason = '',
      invalidMessage = '',
    } = await this.#understood(() => facilitator.verify(payment.body));
    if (!isValid) throw await this.#demand(faultOf(invalidReason, invalidMessage));
    return {
      settle: async () => {
        const settled = await facilitator.settle(payment.body, this.#paying.gone);
        if (settled.success) return payment.writeReceipt(settled);
        const { errorReason = '', errorMessage = '' } = settled;
        throw await this.#demand({ ...faultOf(errorReason, errorMessage), settlement: settled });
      },
    };
  }

  /** @throws {PaymentDemanded} if the offer has another form than its protocol's. */
  async #understood<T>(judge: () => Promise<T>): Promise<T> {
    try {
      return await judge();
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      throw await this.#demand(malformed(error.message, error.reason));
    }
  }

  async #readOffer(): Promise<OfferedPayment> {
    const { offer } = this.#paying;
    if (offer === undefined) throw await this.#demand(UNPAID);
    return offer.protocol === 'x402'
      ? this.#readX402(offer.content)
      : await this.#readCredential(offer.content);
  }

  async #readX402(paymentPayload: unknown): Promise<OfferedPayment> {
    if (!isJsonObject(paymentPayload) || paymentPayload['x402Version'] !== 2) {
      throw await this.#demand(malformed('The payment must be JSON of x402 version 2', 'invalid_payload'));
    }
    const { signJws, clock } = this.#parts;
    return {
      body: { x402Version: 2, paymentPayload, paymentRequirements: this.#terms.requirement() },
      writeReceipt: (settled) => {
        const extensions = signReceipt(signJws, this.#paying.resource, settled, clock.now());
        return { protocol: 'x402', content: { ...settled, extensions } };
      },
    };
  }

  async #readCredential(content: unknown): Promise<OfferedPayment> {
    const { challenges, clock, facilitator } = this.#parts;
    const credential = challenges.read(content, this.#tool);
    if (credential === undefined) {
      throw await this.#demand(malformed('The credential must be JSON with a challenge and a payload'));
    }
    const { challengeId, isIssued, expires, externalId, payloadType, transaction } = credential;
    if (!isIssued) {
      throw await this.#demand({
        problem: 'invalid-challenge',
        reason: 'invalid_payload',
        detail: 'The challenge was not issued by this service for this call: pay the new challenge',
      });
    }
    if (payloadType !== 'transaction') {
      throw await this.#demand(faultOf('invalid_payload', 'The payload must have the type "transaction"'));
    }
    // The outcome of a payment in time may be asked for later.
    const isLate = expires <= formatTime(clock.now()) && (await facilitator.find(challengeId)) === undefined;
    if (isLate) {
      throw await this.#demand({
        problem: 'payment-expired',
        reason: 'invalid_payload',
        detail: 'The challenge has expired: pay the new challenge',
      });
    }
    const accepted = this.#terms.requirement(externalId);
    // The id of the challenge identifies its payment, so a challenge is paid once.
    const extensions = { [PAYMENT_IDENTIFIER]: { info: { id: challengeId } } };
    const paymentPayload = { x402Version: 2, accepted, payload: { transaction }, extensions };
    return {
      body: { x402Version: 2, paymentPayload, paymentRequirements: accepted },
      writeReceipt: ({ transaction: reference }) => ({
        protocol: 'mpp',
        content: {
          status: 'success',
          method: 'solana',
          timestamp: formatTime(clock.now()),
          reference,
          challengeId,
          externalId,
        },
      }),
    };
  }

  /** Describes the terms of a new payment. */
  async #demand({ problem, detail, reason, settlement }: Fault): Promise<PaymentDemanded> {
    const { challenges, clock, random, signJws } = this.#parts;
    const { resource } = this.#paying;
    const externalId = Buffer.from(random.bytes(EXTERNAL_ID_BYTES)).toString('base64url');
    const { requirement, request } = await this.#terms.offer(externalId);
    const expiresMs = clock.now() + PAY_WITHIN_SECONDS * 1_000;
    const accepts = [requirement];
    return new PaymentDemanded({
      problem: { type: `https://paymentauth.org/problems/${problem}`, title: PROBLEMS[problem], detail },
      isMalformed: problem === 'malformed-credential',
      required: {
        x402Version: 2,
        error: reason,
        resource: { url: resource, mimeType: 'application/json' },
        accepts,
        extensions: signOffers(signJws, resource, accepts, expiresMs),
      },
      challenges: [challenges.issue(this.#tool, request, expiresMs)],
      ...(settlement && { settlement: { ...settlement } }),
    });
  }
}

const malformed = (detail: string, reason = 'invalid_payload'): Fault => ({
  problem: 'malformed-credential',
  detail,
  reason,
});

const faultOf = (reason: string, detail: string): Fault => ({
  problem:
    reason === 'invalid_exact_svm_payload_amount_mismatch' ? 'payment-insufficient' : 'verification-failed',
  detail,
  reason,
});
