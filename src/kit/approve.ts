import type { ExplainTransactionOutput } from '../client/generated.ts';
import type { PaymentLimits } from './options.ts';
import { limitReasons } from './limits.ts';
import { TransactionRefused, type RefusalReason } from './transaction-refused.ts';

/** What a transaction has to be for the client to sign it. */
export interface Terms {
  readonly limits: PaymentLimits;
  /** Codes of cautions that the caller takes on. */
  readonly accept: ReadonlySet<string>;
  /** Whom the client can sign for. */
  readonly signers: ReadonlySet<string>;
  /** Whether recipient and terms are in boxes that the client has sealed itself. */
  readonly isSealedHere: boolean;
  /** The arguments of the request. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether nothing was asked for, so that there is nothing to compare it with. Default: false. */
  readonly hasNoRequest?: boolean;
}

/**
 * Lets a transaction pass if it is what was asked for, nothing speaks against it, and it keeps to the limits.
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
    ...limitReasons(explanation, terms.limits, terms.args),
  ];
  if (reasons.length > 0) throw new TransactionRefused(reasons, explanation);
}

/**
 * What the caller takes on, and what the client knows better than an explanation can: the contents of boxes
 * that it has sealed itself.
 */
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

/** The verdict itself, whatever the findings are: nothing passes for want of a reason to refuse it. */
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
  const message = 'It could not be shown to be what was asked for.';
  return [{ code: request?.satisfied === 'no' ? 'DIFFERS' : 'UNVERIFIABLE', message }];
}

function signerReasons({ signers }: ExplainTransactionOutput, own: ReadonlySet<string>): RefusalReason[] {
  return signers
    .filter(({ address, signature }) => signature !== 'valid' && !own.has(address))
    .map(({ address }) => ({
      code: 'SIGNER',
      message: `${address} would have to sign it, and is neither identity nor payer of this client.`,
    }));
}
