import type { ExplainTransactionOutput } from '../client/generated.ts';
import { readSpending, SOL, type Spending } from '../policy/spending.ts';
import type { PaymentLimits } from './payments.ts';

/** Conditions for signing a transaction. */
export interface Terms {
  readonly limits: PaymentLimits;
  /** Codes of cautions that the caller accepts. */
  readonly accept: ReadonlySet<string>;
  readonly signers: ReadonlySet<string>;
  /** Whether the client itself sealed the recipient and the delivery terms. */
  readonly isSealedHere: boolean;
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether there is no request to compare the transaction with. Default: false. */
  readonly hasNoRequest?: boolean;
}

/**
 * Rejects a transaction that differs from the request, exceeds a limit, or has a danger or a caution that the
 * caller does not accept.
 *
 * @throws {TransactionRefused} with every reason.
 */
export function approve(explanation: ExplainTransactionOutput, terms: Terms): void {
  const accepted = acceptedCodes(explanation, terms);
  const reasons = [
    ...differenceReasons(explanation),
    ...findingReasons(explanation, accepted),
    ...verdictReasons(explanation, accepted, terms.hasNoRequest === true),
    ...signerReasons(explanation, terms.signers),
    ...limitReasons(explanation, terms),
  ];
  if (reasons.length > 0) throw new TransactionRefused(reasons, explanation);
}

/** Returns the codes that the caller accepts, plus those for a recipient that the client sealed itself. */
function acceptedCodes({ request }: ExplainTransactionOutput, { accept, isSealedHere }: Terms): Set<string> {
  const accepted = new Set(accept);
  if (!isSealedHere) return accepted;
  accepted.add('SEALED_RECIPIENT');
  const open = request?.claims.filter(({ verdict }) => verdict !== 'ok') ?? [];
  if (open.every(({ name, verdict }) => name === 'to' && verdict === 'unverifiable')) {
    accepted.add('REQUEST_UNVERIFIABLE');
  }
  return accepted;
}

function differenceReasons({ request }: ExplainTransactionOutput): RefusalReason[] {
  return (request?.claims ?? [])
    .filter(({ verdict }) => verdict === 'differs')
    .map(({ message }) => ({ code: 'DIFFERS', message }));
}

function findingReasons({ findings }: ExplainTransactionOutput, accepted: Set<string>): RefusalReason[] {
  return findings
    .filter(({ level, code }) => level === 'danger' || (level === 'caution' && !accepted.has(code)))
    .map(({ code, message }) => ({ code, message }));
}

/** Rejects a verdict that is not clear, even if no finding gives a reason. */
function verdictReasons(
  { request, verdict, chainRead, findings }: ExplainTransactionOutput,
  accepted: Set<string>,
  hasNoRequest: boolean,
): RefusalReason[] {
  const isExcused =
    (hasNoRequest && request === undefined) ||
    request?.satisfied === 'yes' ||
    (request?.satisfied === 'unverifiable' && accepted.has('REQUEST_UNVERIFIABLE'));
  const cautions = findings.filter(({ level }) => level === 'caution');
  const isClear = verdict === 'clear' || (verdict === 'caution' && cautions.length > 0);
  if (isExcused && isClear && chainRead) return [];
  const message = 'The transaction could not be verified against the request.';
  return [{ code: request?.satisfied === 'no' ? 'DIFFERS' : 'UNVERIFIABLE', message }];
}

function signerReasons({ signers }: ExplainTransactionOutput, own: ReadonlySet<string>): RefusalReason[] {
  return signers
    .filter(({ address, signature }) => signature !== 'valid' && !own.has(address))
    .map(({ address }) => ({
      code: 'SIGNER',
      message: `The transaction also needs the signature of ${address}, which is neither the identity nor the payer of this client.`,
    }));
}

function limitReasons(
  explanation: ExplainTransactionOutput,
  { limits, args, hasNoRequest = false }: Terms,
): RefusalReason[] {
  const spending = readSpending(explanation);
  const recipients = hasNoRequest ? recipientsIn(spending) : textsIn([args['to']]);
  return [
    ...amountReasons(explanation, spending, limits),
    ...lamportReasons(explanation, limits),
    ...listReasons('mint', limits.mints, mintsOf(explanation)),
    ...listReasons('recipient', limits.recipients, recipients),
    ...listReasons('validator', limits.validators, spending.validators),
    ...listReasons('program', limits.programs, spending.programs),
  ];
}

/** Checks the token limit. Deposits count, because they take tokens from the wallet's balance on base. */
function amountReasons(
  { wallet }: ExplainTransactionOutput,
  { amounts }: Spending,
  { maxAmount }: PaymentLimits,
): RefusalReason[] {
  if (maxAmount === undefined) return [];
  if (wallet?.tokens.every(({ change }) => change !== null) !== true) {
    return [limit('The number of tokens that the transaction takes from the wallet is unknown.')];
  }
  return [...amounts].flatMap(([mint, sum]) =>
    // This comparison rejects NaN.
    mint === SOL || sum <= maxAmount
      ? []
      : [limit(`It takes ${sum} base units of ${mint} from the wallet, but maxAmount is ${maxAmount}.`)],
  );
}

function lamportReasons(
  { wallet }: ExplainTransactionOutput,
  { maxLamports }: PaymentLimits,
): RefusalReason[] {
  if (maxLamports === undefined) return [];
  if (wallet === undefined || wallet.lamportsMin === null) {
    return [limit('The number of lamports that the transaction takes from the wallet is unknown.')];
  }
  const most = -wallet.lamportsMin;
  if (most <= maxLamports) return [];
  return [limit(`It may take ${most} lamports from the wallet, but maxLamports is ${maxLamports}.`)];
}

function listReasons(
  what: string,
  allowed: readonly string[] | undefined,
  found: readonly string[],
): RefusalReason[] {
  if (allowed === undefined) return [];
  const others = [...new Set(found)].filter((each) => !allowed.includes(each));
  return others.map((each) => limit(`Its ${what} ${each} is not in limits.${what}s.`));
}

const limit = (message: string): RefusalReason => ({ code: 'LIMIT', message });

const textsIn = (values: readonly unknown[]): string[] => values.filter((each) => typeof each === 'string');

const recipientsIn = ({ recipients, hidesRecipient }: Spending): readonly string[] =>
  hidesRecipient ? [...recipients, '(hidden)'] : recipients;

const mintsOf = ({ effects }: ExplainTransactionOutput): string[] =>
  effects.tokens.map(({ mint }) => mint ?? 'An unknown mint');

/** A reason why the client refused to sign. */
export interface RefusalReason {
  /**
   * Stable code: a finding's code; `DIFFERS` if something differs from the request; `UNVERIFIABLE`; `LIMIT`
   * for a limit set by the caller; `SIGNER` for a signature that the client cannot provide; `ALREADY_SIGNED`
   * for the bytes of an earlier payment, which the ledger would not execute again.
   */
  readonly code: string;
  readonly message: string;
}

/** Error for a built transaction that must not be signed. The client throws it before signing anything. */
export class TransactionRefused extends Error {
  override readonly name = 'TransactionRefused';
  readonly reasons: readonly RefusalReason[];
  readonly explanation: ExplainTransactionOutput;

  constructor(reasons: readonly RefusalReason[], explanation: ExplainTransactionOutput) {
    super(`Nothing was signed: ${reasons.map(({ message }) => message).join(' ')}`);
    this.reasons = reasons;
    this.explanation = explanation;
  }
}
