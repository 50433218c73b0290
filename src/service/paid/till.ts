import { TracelessError } from '../../errors/service-error.ts';
import type { OperationCaller } from '../../payments/operation.ts';
import type { JsonObject } from '../input/json-object.ts';

/** The payment that a caller sends with a call. */
export interface PaymentOffer {
  /** x402, or the HTTP authentication scheme `Payment` (MPP). */
  readonly protocol: 'x402' | 'mpp';
  /** The parsed JSON; undefined if it cannot be read. */
  readonly content: unknown;
}

/** How a caller pays for a call. */
export interface Paying {
  /** Undefined if the caller offers nothing. */
  readonly offer: PaymentOffer | undefined;
  /** URL of what is sold: of the request, or `mcp://tool/` with the name of the tool. */
  readonly resource: string;
  /** Aborts when the client has disconnected. */
  readonly gone: AbortSignal;
}

/** The caller of an operation that may have a price. */
export interface PayingCaller extends OperationCaller {
  /** Called only for operations with a price. Omitted if the transport takes no payments. */
  readonly paying?: () => Paying;
}

/** A challenge of MPP (draft-httpauth-payment, section 5). */
export interface Challenge {
  readonly id: string;
  readonly realm: string;
  readonly method: string;
  readonly intent: string;
  readonly request: JsonObject;
  /** RFC 3339. */
  readonly expires: string;
  /** Base64url. */
  readonly opaque: string;
}

/** The terms on which a call is sold, and why it was not run or not answered. */
export interface PaymentDemand {
  /** The problem in the vocabulary of MPP: type URL, title and detail. */
  readonly problem: { readonly type: string; readonly title: string; readonly detail: string };
  /** Whether the offer was not understood at all. */
  readonly isMalformed: boolean;
  /** `PaymentRequired` of x402 version 2. */
  readonly required: JsonObject;
  readonly challenges: readonly Challenge[];
  /** `SettleResponse` of x402 if the settlement failed. */
  readonly settlement?: JsonObject;
}

/** Thrown if a call is not paid for. The operation has not run, or its result is withheld. */
export class PaymentDemanded extends TracelessError {
  override readonly name = 'PaymentDemanded';
  readonly demand: PaymentDemand;

  constructor(demand: PaymentDemand) {
    super(demand.problem.detail);
    this.demand = demand;
  }
}

/** The proof of a settled payment. */
export interface Receipt {
  /** `SettleResponse` of x402, or the receipt of MPP with its `challengeId`. */
  readonly content: JsonObject;
  readonly protocol: PaymentOffer['protocol'];
}

/** A verified payment for one call. */
export interface Sale {
  /**
   * Settles the payment after the call has succeeded.
   *
   * @throws {PaymentDemanded} if it does not settle.
   */
  settle(): Promise<Receipt>;
}

/** The price of an operation, as documents show it. */
export interface ShownPrice {
  /** A sentence for people and models. */
  readonly sentence: string;
  /** `x-payment-info` of an OpenAPI operation (draft-payment-discovery). */
  readonly info: JsonObject;
}

/** Sells calls. */
export interface Till {
  /** Returns the price of a tool; undefined if it is free. */
  priceOf(tool: string): ShownPrice | undefined;
  /**
   * Verifies the payment for a call of a tool with a price.
   *
   * @throws {PaymentDemanded} if there is none, or it is not valid.
   * @throws {ServiceError} UPSTREAM_* and others if a ledger cannot be read.
   */
  open(tool: string, paying: Paying): Promise<Sale>;
}
