import { PaymentsError } from '../../client/payments-error.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { TransactionRefused, type RefusalReason } from '../../kit/transaction-refused.ts';
import { Advised } from './advice.ts';
import { VERB_EXIT_CODES, type VerbExit } from './exit-codes.ts';
import { printableLines } from './printable.ts';
import type { Terminal } from './terminal.ts';
import { writeJson } from './verb-call.ts';
import { VerbFailure } from './verb-failure.ts';

/** A failure as it is told. */
interface Told {
  readonly exit: VerbExit;
  readonly code: string;
  readonly message: string;
  /** Why nothing was signed. */
  readonly reasons?: readonly RefusalReason[];
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Codes of who did not answer, not usably or not now. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  'NETWORK',
  'TIMEOUT',
  'ANSWER_UNUSABLE',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_INVALID',
  'UPSTREAM_REJECTED',
  'UPSTREAM_RATE_LIMITED',
  'UPSTREAM_TIMEOUT',
  'SERVICE_BUSY',
  'RATE_LIMITED',
  'OPERATION_TIMEOUT',
  'LEDGER_STOPPED',
  'VALIDATOR_UNRESOLVED',
  'INTERNAL_ERROR',
]);

/** Codes of what the user gave on this machine. */
const OWN: ReadonlySet<string> = new Set(['CONFIG_INVALID', 'PROVISION_INVALID', 'LEDGER_FOLDER_UNREADABLE']);

/** Tells of a failure on stderr, and says what the process ends with. */
export function tellFailure(
  error: unknown,
  { isJson, terminal }: { readonly isJson: boolean; readonly terminal: Terminal },
): number {
  const told = read(error);
  if (told === null) {
    const text = String(error instanceof Error ? error.stack : error);
    terminal.tell(`${printableLines(text.split('\n'))}\n`);
    return VERB_EXIT_CODES.fault;
  }
  const { exit, code, message, reasons, facts } = told;
  const exitCode = VERB_EXIT_CODES[exit];
  if (isJson) {
    terminal.tell(
      `${writeJson({ error: { code, message, exitCode, ...facts, ...(reasons && { reasons }) } })}\n`,
    );
  } else {
    const lines = [
      ...`${message} (${code})`.split('\n'),
      ...(reasons ?? []).map((each) => `  ${each.message} (${each.code})`),
    ];
    terminal.tell(`${printableLines(lines)}\n`);
  }
  return exitCode;
}

/** Null for what is no known failure. */
function read(error: unknown, advice?: string): Told | null {
  if (error instanceof Advised) return read(error.cause, error.advice);
  if (error instanceof VerbFailure) return error;
  if (error instanceof TransactionRefused) {
    const message = `Nothing was signed${advice === undefined ? ':' : `. ${advice}`}`;
    return { exit: 'unsigned', code: 'TRANSACTION_REFUSED', message, reasons: error.reasons };
  }
  if (error instanceof PaymentsError) {
    const { message, serviceCode, requestId } = error;
    const code = serviceCode ?? error.code;
    const facts = requestId === null ? {} : { requestId };
    return {
      exit: exitOf(code),
      code,
      message: advice === undefined ? message : `${message.replace(/\.$/, '')}. ${advice}`,
      facts,
    };
  }
  return isServiceError(error)
    ? { exit: exitOf(error.code), code: error.code, message: error.message }
    : null;
}

function exitOf(code: string): VerbExit {
  if (OWN.has(code)) return 'config';
  if (code === 'CHALLENGE_REFUSED') return 'unsigned';
  if (code === 'LEDGER_FOLDER_IN_USE') return 'held';
  return UNAVAILABLE.has(code) ? 'unavailable' : 'refused';
}
