import { PaymentsError } from '../../client/payments-error.ts';
import { findNearestName } from '../../errors/nearest-name.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { type RefusalReason, TransactionRefused } from '../../kit/approve.ts';
import { badFlag, readFlags } from '../read-flags.ts';
import { Advised } from './advice.ts';
import { printableLines, type Terminal } from './terminal.ts';
import { VerbCall, writeJson } from './verb-call.ts';
import { VERB_EXIT_CODES, type VerbExit, VerbFailure } from './verb-failure.ts';
import { flagsOf, SERVING, type Verb, VERBS } from './verb-table.ts';

/**
 * Runs a verb.
 *
 * @param args the arguments after the verb.
 * @returns an exit code of {@link VERB_EXIT_CODES}. Failures do not throw; they are reported on stderr.
 */
export async function runVerb(name: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const isJson = args.includes('--json');
  try {
    const verb = verbOf(name);
    const { words, values } = readFlags(args, flagsOf(verb));
    if (values.has('help')) {
      terminal.print((await import('../help.ts')).formatVerbHelp(name, verb));
      return VERB_EXIT_CODES.done;
    }
    requireWords(name, verb, words);
    const run = await verb.load();
    return VERB_EXIT_CODES[await run(new VerbCall(words, values, terminal))];
  } catch (error) {
    return reportFailure(error, { isJson, terminal });
  }
}

function verbOf(name: string): Verb {
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (verb !== undefined) return verb;
  const nearest = findNearestName(name, [...SERVING, ...Object.keys(VERBS)]);
  throw badFlag(`Unknown command '${name}'.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`);
}

function requireWords(
  name: string,
  { words, wordCount: [least, most] }: Verb,
  given: readonly string[],
): void {
  const usage = `${name} ${words}`.trim();
  if (given.length < least) throw badFlag(`An argument is missing: ${usage}.`);
  if (given.length > most) throw badFlag(`Unexpected argument '${given[most]}': ${usage}.`);
}

interface Failure {
  readonly exit: VerbExit;
  readonly code: string;
  readonly message: string;
  /** The reasons why nothing was signed. */
  readonly reasons?: readonly RefusalReason[];
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Codes of services and nodes without a usable response. */
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
  'CREDENTIALS_UNCHECKED',
  'RATE_LIMITED',
  'OPERATION_TIMEOUT',
  'LEDGER_STOPPED',
  'VALIDATOR_UNRESOLVED',
  'INTERNAL_ERROR',
]);

/** Codes of invalid input on this machine. */
const OWN: ReadonlySet<string> = new Set(['CONFIG_INVALID', 'PROVISION_INVALID', 'LEDGER_FOLDER_UNREADABLE']);

/** Reports a failure on stderr and returns the exit code. */
export function reportFailure(
  error: unknown,
  { isJson, terminal }: { readonly isJson: boolean; readonly terminal: Terminal },
): number {
  const failure = readFailure(error);
  if (failure === null) {
    const text = String(error instanceof Error ? error.stack : error);
    terminal.log(`${printableLines(text.split('\n'))}\n`);
    return VERB_EXIT_CODES.fault;
  }
  const { exit, code, message, reasons, facts } = failure;
  const exitCode = VERB_EXIT_CODES[exit];
  if (isJson) {
    terminal.log(
      `${writeJson({ error: { code, message, exitCode, ...facts, ...(reasons && { reasons }) } })}\n`,
    );
  } else {
    const lines = [
      ...`${message} (${code})`.split('\n'),
      ...(reasons ?? []).map((each) => `  ${each.message} (${each.code})`),
    ];
    terminal.log(`${printableLines(lines)}\n`);
  }
  return exitCode;
}

function readFailure(error: unknown, advice?: string): Failure | null {
  if (error instanceof Advised) return readFailure(error.cause, error.advice);
  if (error instanceof VerbFailure) return error;
  if (error instanceof TransactionRefused) {
    const message = `Nothing was signed. ${advice ?? 'The reasons'}:`;
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
