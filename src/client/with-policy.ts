import { readPolicy, type SpendingPolicy } from '../policy/policy.ts';
import { readSpending } from '../policy/spending.ts';
import { type GuardVerdict, type Reservation, SpendingGuard } from '../policy/spending-guard.ts';
import { MemoryTables, type Tables } from '../ports/tables.ts';
import type { ExplainTransactionOutput } from './generated.ts';
import { PolicyRefusal } from './policy-refusal.ts';
import type { PrivatePayments } from './private-payments.ts';

/** A transaction as @solana/kit passes it to a signer. */
interface UnsignedTransaction {
  readonly messageBytes: ArrayLike<number>;
  /** Signatures by address, in the order of the message. */
  readonly signatures: Readonly<Record<string, ArrayLike<number> | null>>;
}

/** The part of a @solana/kit `TransactionPartialSigner` that is used here. */
interface PartialSigner {
  readonly address: string;
  signTransactions(transactions: readonly UnsignedTransaction[], config?: object): Promise<readonly object[]>;
}

/** A payment that was signed under a policy. */
export interface SignedPayment {
  /** The explained transaction, before the signature. */
  readonly transactionBase64: string;
  /** Cautions that the policy accepts or a person approved. */
  readonly cautions: GuardVerdict['cautions'];
  /** Records the outcome, so that a payment that failed or expired no longer counts. */
  readonly settle: Reservation['settle'];
}

/** Options of {@link withPolicy}. */
export interface PolicyOptions {
  /** Explains transactions. The service is trusted, because the policy judges what it says. */
  readonly payments: Pick<PrivatePayments, 'explainTransaction'>;
  /** Cluster of the payments. Default: the service's. */
  readonly cluster?: string | undefined;
  /** The ledger of the payments. Default: as `explainTransaction` derives it. */
  readonly sendTo?: 'base' | 'ephemeral' | undefined;
  /** Store of earlier payments. By default they are in memory, and counted per call of withPolicy. */
  readonly store?: Tables | undefined;
  /** Asks a person about a payment above `askAbove` or with a caution. By default it is refused. */
  readonly approve?:
    | ((refusal: PolicyRefusal, explanation: ExplainTransactionOutput) => Promise<boolean>)
    | undefined;
  /**
   * Receives every signed payment, and must settle its outcome. By default, a signed payment counts as paid.
   */
  readonly onSigned?: ((payment: SignedPayment) => void) | undefined;
}

/**
 * Limits what a signer of @solana/kit pays, for any client of x402 or MPP that takes one. Each transaction is
 * explained by the service for the signer's wallet, judged by the policy, and reserved before it is signed.
 *
 * @param policy caps and lists, as in a policy file.
 * @throws {TypeError} if the policy is invalid.
 * @returns a signer whose calls fail with {@link PolicyRefusal}, or with the errors of the service and the
 *   signer.
 */
export function withPolicy<Signer extends PartialSigner>(
  policy: SpendingPolicy,
  signer: Signer,
  options: PolicyOptions,
): Pick<Signer, 'address' | 'signTransactions'> {
  const { address } = signer;
  const guard = new SpendingGuard(readPolicy(policy), options.store ?? new MemoryTables(), CLOCK);

  async function reserve(transaction: UnsignedTransaction): Promise<SignedPayment> {
    const transactionBase64 = encodeBase64(wireOf(transaction));
    const { payments, cluster, sendTo, approve } = options;
    const explanation = await payments.explainTransaction({
      transactionBase64,
      wallet: address,
      ...(cluster !== undefined && { cluster }),
      ...(sendTo !== undefined && { sendTo }),
    });
    const spending = readSpending(explanation);
    let verdict = await guard.reserve(spending);
    if (verdict.kind === 'ask' && (await approve?.(new PolicyRefusal(verdict), explanation)) === true) {
      verdict = await guard.reserve(spending, true);
    }
    if (verdict.kind !== 'allow') throw new PolicyRefusal(verdict);
    const { cautions, reservation } = verdict;
    return { transactionBase64, cautions, settle: (outcome) => reservation.settle(outcome) };
  }

  async function signTransactions(transactions: readonly UnsignedTransaction[], config?: object) {
    const reserved: SignedPayment[] = [];
    const sign = async (): Promise<readonly object[]> => {
      for (const transaction of transactions) reserved.push(await reserve(transaction));
      return await signer.signTransactions(transactions, config);
    };
    const signatures = await sign().catch(async (error: unknown) => {
      for (const { settle } of reserved) await settle('expired');
      throw error;
    });
    for (const payment of reserved) {
      if (options.onSigned === undefined) await payment.settle('landed');
      else options.onSigned(payment);
    }
    return signatures;
  }

  return { address, signTransactions } as Pick<Signer, 'address' | 'signTransactions'>;
}

const SIGNATURE_BYTES = 64;

/** First byte of a message of version 1, which its signatures follow (SIMD-0385). */
const VERSION_1 = 0x81;

/** Encodes a transaction. A transaction has fewer than 128 signatures, so their count is one byte. */
function wireOf({ messageBytes, signatures }: UnsignedTransaction): Uint8Array {
  const message = Array.from(messageBytes);
  const given = Object.values(signatures);
  const bytes = given.flatMap((signature) => Array.from(signature ?? new Uint8Array(SIGNATURE_BYTES)));
  return Uint8Array.from(
    message[0] === VERSION_1 ? [...message, ...bytes] : [given.length, ...bytes, ...message],
  );
}

const encodeBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Stored payments outlive the process, so the origin counts too. */
const CLOCK = { now: () => performance.timeOrigin + performance.now() };
