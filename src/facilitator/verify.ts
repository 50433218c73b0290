import type { Chain } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { accountsOf, callsOf } from '../payments/explain/call.ts';
import { blockhashOf } from '../payments/explain/state/blockhash.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Address } from '../solana/address.ts';
import { SIGNATURE_BYTES } from '../solana/signature.ts';
import type { Transaction } from '../solana/transaction.ts';
import { BlockhashLives } from '../settlement/blockhash-life.ts';
import { explainPayment } from './cross-check.ts';
import { applyExactRules, decodePayment, type ExactTransfer, findPayer } from './exact-rules.ts';
import { chainOf, servedNetworks } from './networks.ts';
import { paymentIdOf } from '../settlement/payment-id.ts';
import { PaymentRefusal } from './refusal.ts';
import { chooseLedger } from '../settlement/settlement-ledger.ts';
import type { PaymentVerdict, VerifiedPayment } from './verified-payment.ts';
import { parsePaymentRequest, PAYMENT_IDENTIFIER, type PaymentRequest } from './wire.ts';

/** Minimum time for which the blockhash of a payment must remain valid, in ms, so that it can be settled. */
const LIFE_MS_MIN = 15_000;

const SCHEME = 'exact';

/** The answer to `/supported`. */
interface SupportedKinds {
  readonly kinds: readonly {
    readonly x402Version: 1 | 2;
    readonly scheme: string;
    readonly network: string;
    readonly extra: { readonly feePayer: string };
  }[];
  readonly extensions: readonly string[];
  /** Addresses that sign, by family of networks. */
  readonly signers: Readonly<Record<string, readonly string[]>>;
}

interface VerifierDeps {
  readonly clusters: Clusters;
  /** The address that pays the network fees. */
  readonly feePayer: Address;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Checks payments of x402. It signs and stores nothing. */
export interface Verifier {
  /** Returns what the facilitator supports. */
  supported(): SupportedKinds;
  /**
   * Judges a payment.
   *
   * @param body the parsed body of `/verify` or `/settle`.
   * @throws {InvalidRequest} if the body is not a request of x402.
   * @throws {ServiceError} UPSTREAM_* and others if a ledger cannot be read.
   */
  verify(body: unknown): Promise<PaymentVerdict>;
}

/**
 * Creates the verifier of the facilitator. A payment must satisfy the rules of its scheme, and `explain` must
 * find nothing else in its bytes and its simulation.
 */
export function createVerifier(deps: VerifierDeps): Verifier {
  const { clusters, feePayer, clock } = deps;
  const networks = servedNetworks(clusters);
  const lives = new BlockhashLives(clock);
  return {
    supported: () => ({
      kinds: networks.flatMap(({ caip2, name }) => [
        { x402Version: 2, scheme: SCHEME, network: caip2, extra: { feePayer } },
        { x402Version: 1, scheme: SCHEME, network: name, extra: { feePayer } },
      ]),
      extensions: [PAYMENT_IDENTIFIER],
      signers: { 'solana:*': [feePayer] },
    }),
    async verify(body) {
      const request = parsePaymentRequest(body);
      let payer: Address | null = null;
      try {
        requireTerms(request, feePayer);
        const chain = chainOf(networks, request.network);
        if (chain === undefined) {
          const served = networks.map(({ caip2 }) => caip2).join(', ') || 'none';
          throw new PaymentRefusal(
            'invalid_network',
            `Network ${request.network} is not served here: use one of ${served}`,
          );
        }
        const transaction = decodePayment(request);
        payer = findPayer(callsOf(transaction, accountsOf(transaction, new Map())));
        const transfer = applyExactRules(transaction, request, feePayer);
        return { isValid: true, payment: await judge(transfer, chain, request, { ...deps, lives }) };
      } catch (error) {
        if (!(error instanceof PaymentRefusal)) throw error;
        return { isValid: false, invalidReason: error.reason, invalidMessage: error.message, payer };
      }
    },
  };
}

/**
 * Checks that the terms are those of this facilitator and those that the payer accepted.
 *
 * @throws {PaymentRefusal}
 */
function requireTerms({ scheme, network, accepted, ...request }: PaymentRequest, feePayer: Address): void {
  if (scheme !== SCHEME || accepted.scheme !== SCHEME) {
    throw new PaymentRefusal('invalid_exact_svm_unsupported_scheme', 'The scheme must be "exact"');
  }
  if (network !== accepted.network) {
    throw new PaymentRefusal(
      'invalid_exact_svm_network_mismatch',
      'The payment and the requirement name different networks',
    );
  }
  if (!accepted.isRequired) {
    throw new PaymentRefusal(
      'invalid_payment_requirements',
      'paymentPayload.accepted differs from paymentRequirements',
    );
  }
  if (request.feePayer === null) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_missing_fee_payer',
      `The requirement has no extra.feePayer: set it to ${feePayer}`,
    );
  }
  if (request.feePayer !== feePayer) {
    throw new PaymentRefusal(
      'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
      `extra.feePayer must be ${feePayer}`,
    );
  }
}

/** Judges a payment that satisfies the rules of its scheme by the state of its ledger and by `explain`. */
async function judge(
  transfer: ExactTransfer,
  chain: Chain,
  request: PaymentRequest,
  { logger, lives }: VerifierDeps & { readonly lives: BlockhashLives },
): Promise<VerifiedPayment> {
  const { transaction, payer, payTo, mint, amount } = transfer;
  const blockhash = blockhashOf(transaction);
  const lifeOn = (on: VerifiedPayment['ledger']) =>
    lives.of(blockhash, on === 'base' ? chain : (chain.rollup ?? chain), on);
  let ledger = await chooseLedger(chain, [payer, payTo], mint);
  if (ledger === 'base' && request.settlement === 'private') {
    throw new PaymentRefusal(
      'invalid_transaction_state',
      'The requirement asks for private settlement, but the payer or the recipient has no account on the rollup: deposit first',
    );
  }
  let life = await lifeOn(ledger);
  if (life === null && ledger === 'rollup' && request.settlement !== 'private') {
    // The payer built the transaction for base.
    ledger = 'base';
    life = await lifeOn(ledger);
  }
  if (life === null || life.remainingMs < LIFE_MS_MIN) {
    throw new PaymentRefusal(
      'invalid_exact_svm_transaction_simulation_failed',
      `The blockhash is not valid on the ${ledger} ledger for ${LIFE_MS_MIN / 1_000} more seconds: build the transaction again on a new blockhash of that ledger`,
    );
  }
  const { disagreements, lamportsMax } = await explainPayment({ ...transfer, chain, ledger });
  if (disagreements.length > 0) {
    logger.warn(
      { cluster: chain.cluster, ledger, findings: disagreements },
      'the rules of x402 accept a payment that explain does not',
    );
    throw new PaymentRefusal(
      'invalid_exact_svm_verification_failed',
      `The transaction has effects other than the payment (${disagreements.join(', ')})`,
    );
  }
  return {
    id: paymentIdOf(transaction),
    identifier: request.identifier,
    cluster: chain.cluster,
    ledger,
    network: request.network,
    wire: withoutFeePayerSignature(transaction),
    lastValidBlockHeight: life.lastValidBlockHeight,
    payer,
    payTo,
    mint,
    amount,
    lamportsMax,
  };
}

function withoutFeePayerSignature({ wire, signaturesAt }: Transaction): Uint8Array {
  return Uint8Array.from(wire).fill(0, signaturesAt, signaturesAt + SIGNATURE_BYTES);
}
