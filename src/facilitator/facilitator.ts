import type { Clock } from '../ports/clock.ts';
import type { Address } from '../solana/address.ts';
import { applyExactRules, decodePayment } from './exact-rules.ts';
import { paymentIdOf } from '../settlement/payment-id.ts';
import type { Payment } from '../settlement/payment-store.ts';
import { RecentVerdicts } from './recent-verdicts.ts';
import { PaymentRefusal } from './refusal.ts';
import { duplicate, POLICY_REFUSED, refusal, type SettleResponse, stateOf } from './settle-response.ts';
import type { Settlement } from './settlement.ts';
import type { Verifier } from './verify.ts';
import { parsePaymentRequest, type PaymentRequest } from './wire.ts';

/** The answer to `POST /x402/verify` (x402 version 2, `VerifyResponse`). */
interface VerifyResponse {
  readonly isValid: boolean;
  readonly invalidReason?: string;
  readonly invalidMessage?: string;
  readonly payer?: string;
}

interface FacilitatorParts {
  readonly verifier: Verifier;
  readonly settlement: Settlement;
  /** The address that pays the network fees. */
  readonly feePayer: Address;
  readonly clock: Clock;
}

/**
 * Verifies and settles payments. A payment that was signed before is not verified against the ledger again,
 * because the ledger would reject a transaction that has landed.
 */
export class Facilitator {
  readonly #parts: FacilitatorParts;
  readonly #verdicts: RecentVerdicts;

  constructor(parts: FacilitatorParts) {
    this.#parts = parts;
    this.#verdicts = new RecentVerdicts(parts.clock);
  }

  supported(): ReturnType<Verifier['supported']> {
    return this.#parts.verifier.supported();
  }

  /** Returns the stored payment with this id or identifier, as {@link Settlement.find} does. */
  find(id: string): Promise<Payment | undefined> {
    return this.#parts.settlement.find(id);
  }

  /**
   * Judges the payment in the body of `/verify`.
   *
   * @throws {InvalidRequest} if the body is not an x402 request.
   * @throws {ServiceError} UPSTREAM_* if a ledger cannot be read, SERVICE_BUSY if the store cannot be read.
   */
  async verify(body: unknown): Promise<VerifyResponse> {
    const request = parsePaymentRequest(body);
    const known = await this.#findKnown(request);
    if (known !== undefined) return judge(known);
    const verdict = await this.#parts.verifier.verify(body);
    if (verdict.isValid) {
      const { payer } = verdict.payment;
      const against = await this.#parts.settlement.judge(verdict.payment);
      if (against === null) {
        this.#verdicts.remember(request, verdict.payment);
        return { isValid: true, payer };
      }
      return { isValid: false, invalidReason: POLICY_REFUSED, invalidMessage: against, payer };
    }
    const { payer, invalidReason, invalidMessage } = verdict;
    return { isValid: false, invalidReason, invalidMessage, ...(payer !== null && { payer }) };
  }

  /**
   * Settles the payment in the body of `/settle`.
   *
   * @param gone aborts when the client has disconnected.
   * @throws the errors of {@link verify}.
   */
  async settle(body: unknown, gone: AbortSignal): Promise<SettleResponse> {
    const { verifier, settlement } = this.#parts;
    const request = parsePaymentRequest(body);
    const known = await this.#findKnown(request);
    if (known !== undefined) return await settlement.join(known, gone);
    const recent = this.#verdicts.take(request);
    if (recent !== undefined) return await settlement.settle(recent, gone);
    const verdict = await verifier.verify(body);
    if (verdict.isValid) return await settlement.settle(verdict.payment, gone);
    const { payer, invalidReason, invalidMessage } = verdict;
    return refusal({ network: request.network, payer }, invalidReason, invalidMessage);
  }

  /** Returns the stored payment of a request, if its bytes satisfy the requirement. */
  async #findKnown(request: PaymentRequest): Promise<Payment | undefined> {
    const { settlement, feePayer } = this.#parts;
    try {
      const transaction = decodePayment(request);
      const id = paymentIdOf(transaction);
      const known = await settlement.find(id);
      if (known?.id !== id || known.network !== request.network) return undefined;
      if (request.settlement === 'private' && known.ledger === 'base') return undefined;
      applyExactRules(transaction, request, feePayer);
      return known;
    } catch (error) {
      // The verifier refuses it for the same reason.
      if (error instanceof PaymentRefusal) return undefined;
      throw error;
    }
  }
}

/** Judges a payment that was signed before. It is valid until its success is reported. */
function judge(payment: Payment): VerifyResponse {
  const { state, isReleased, payer } = payment;
  if (state === 'signed' || (state === 'settled' && !isReleased)) return { isValid: true, payer };
  const { errorReason, errorMessage } = isReleased ? duplicate(payment) : stateOf(payment);
  return {
    isValid: false,
    payer,
    ...(errorReason !== undefined && { invalidReason: errorReason }),
    ...(errorMessage !== undefined && { invalidMessage: errorMessage }),
  };
}
