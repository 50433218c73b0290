import { EXIT_CODES } from '../../supervisor/exit-codes.ts';

/** The failure of a verb. */
export class VerbFailure extends Error {
  override readonly name = 'VerbFailure';
  readonly exit: VerbExit;
  /** A stable code for programs. */
  readonly code: string;
  /** Further facts for programs. */
  readonly facts: Readonly<Record<string, unknown>>;

  /** @param message the message, which says what to change. */
  constructor(exit: VerbExit, code: string, message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.facts = facts;
  }
}

/** Creates a failure for a command line, a setting or a file that cannot be used. */
export const unusable = (message: string): VerbFailure =>
  new VerbFailure('config', 'CONFIG_INVALID', message);

/** Exit codes of verbs, which are stable. Codes from 64 on follow sysexits.h where possible. */
export const VERB_EXIT_CODES = {
  /** Success. A payment has arrived. */
  done: EXIT_CODES.done,
  /** A bug. Its stack is printed. */
  fault: EXIT_CODES.fault,
  /** The service or a ledger rejected the request, or the transaction moved nothing (EX_DATAERR). */
  refused: 65,
  /** The service or a node gave no usable answer (EX_UNAVAILABLE). */
  unavailable: 69,
  /** The payment was signed and sent, and may still arrive (EX_IOERR). */
  unconfirmed: 74,
  /** Another process uses the data folder. */
  held: EXIT_CODES.held,
  /** Nothing was signed: a check failed, or the user did not confirm (EX_NOPERM). */
  unsigned: 77,
  /** The command line, a setting or a file cannot be used (EX_CONFIG). */
  config: EXIT_CODES.config,
} as const;

/** The name of an exit code. */
export type VerbExit = keyof typeof VERB_EXIT_CODES;
