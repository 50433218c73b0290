import type { ExplainTransactionOutput } from '../client/generated.ts';
import type { PaymentLimits } from './payments.ts';

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

function limitReasons(
  explanation: ExplainTransactionOutput,
  limits: PaymentLimits,
  args: Readonly<Record<string, unknown>>,
): RefusalReason[] {
  return [
    ...amountReasons(explanation, limits),
    ...lamportReasons(explanation, limits),
    ...listReasons('mint', limits.mints, mintsOf(explanation)),
    ...listReasons('recipient', limits.recipients, textsIn([args['to']])),
    ...listReasons('validator', limits.validators, fieldsNamed(explanation, 'validator')),
    ...listReasons(
      'program',
      limits.programs,
      explanation.instructions.map(({ programId }) => programId),
    ),
  ];
}

/** What leaves the wallet's balances, by mint: a deposit leaves the one on base. */
function amountReasons({ wallet }: ExplainTransactionOutput, { maxAmount }: PaymentLimits): RefusalReason[] {
  if (maxAmount === undefined) return [];
  const untold = [limit('How many tokens it takes from the wallet cannot be told.')];
  if (wallet === undefined) return untold;
  const leaving = new Map<string, bigint>();
  for (const { mint, change } of wallet.tokens) {
    if (change === null) return untold;
    if (change < 0n) leaving.set(String(mint), (leaving.get(String(mint)) ?? 0n) - change);
  }
  return [...leaving].flatMap(([mint, sum]) =>
    // What cannot be compared is not within it.
    sum <= maxAmount
      ? []
      : [limit(`It takes ${sum} base units of ${mint} from the wallet, and maxAmount is ${maxAmount}.`)],
  );
}

function lamportReasons(
  { wallet }: ExplainTransactionOutput,
  { maxLamports }: PaymentLimits,
): RefusalReason[] {
  if (maxLamports === undefined) return [];
  if (wallet === undefined || wallet.lamportsMin === null) {
    return [limit('How many lamports it takes from the wallet cannot be told.')];
  }
  const most = -wallet.lamportsMin;
  if (most <= maxLamports) return [];
  return [limit(`It may take ${most} lamports from the wallet, and maxLamports is ${maxLamports}.`)];
}

function listReasons(
  what: string,
  allowed: readonly string[] | undefined,
  found: readonly string[],
): RefusalReason[] {
  if (allowed === undefined) return [];
  const others = [...new Set(found)].filter((each) => !allowed.includes(each));
  return others.map((each) => limit(`${each} is not one of limits.${what}s.`));
}

const limit = (message: string): RefusalReason => ({ code: 'LIMIT', message });

const textsIn = (values: readonly unknown[]): string[] => values.filter((each) => typeof each === 'string');

const mintsOf = ({ effects }: ExplainTransactionOutput): string[] =>
  effects.tokens.map(({ mint }) => mint ?? 'A mint that cannot be told');

/** Where a field of that name, or an account in that role, names something. */
const fieldsNamed = ({ instructions }: ExplainTransactionOutput, name: string): string[] =>
  instructions.flatMap(({ fields, accounts }) => [
    ...fields.filter((field) => field.name === name).map(({ value }) => value),
    ...accounts.filter(({ role }) => role === name).map(({ address }) => address),
  ]);

/** One reason why nothing was signed. */
export interface RefusalReason {
  /**
   * Stable: a code of a finding, `DIFFERS` for what is not as asked, `UNVERIFIABLE` for what nobody can tell,
   * `LIMIT` for a limit of the caller, `SIGNER` for a signature that the client cannot give, or
   * `ALREADY_SIGNED` for the bytes of an earlier payment, which would pay nothing once more.
   */
  readonly code: string;
  readonly message: string;
}

/** The service built something that must not be signed. Nothing was signed, and nothing was sent. */
export class TransactionRefused extends Error {
  override readonly name = 'TransactionRefused';
  readonly reasons: readonly RefusalReason[];
  /** What was found out about the transaction. */
  readonly explanation: ExplainTransactionOutput;

  constructor(reasons: readonly RefusalReason[], explanation: ExplainTransactionOutput) {
    super(`Nothing was signed: ${reasons.map(({ message }) => message).join(' ')}`);
    this.reasons = reasons;
    this.explanation = explanation;
  }
}
