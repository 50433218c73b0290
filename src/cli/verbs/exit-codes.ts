import { EXIT_CODES } from '../../supervisor/exit-codes.ts';

/** How a verb ends. The codes are stable; those from 64 on are as in sysexits.h where it has one for it. */
export const VERB_EXIT_CODES = {
  /** It is done; for a payment: it has arrived. */
  done: EXIT_CODES.done,
  /** A bug, told with its stack. */
  fault: EXIT_CODES.fault,
  /** The service or a ledger refused it, or it moved nothing (EX_DATAERR). */
  refused: 65,
  /** The service or a node did not answer, or not usably (EX_UNAVAILABLE). */
  unavailable: 69,
  /** It was signed and sent, and is not known to have arrived: it still may (EX_IOERR). */
  unconfirmed: 74,
  /** Another process holds the data folder. */
  held: EXIT_CODES.held,
  /** Nothing was signed: a check spoke against it, or nobody said yes (EX_NOPERM). */
  unsigned: 77,
  /** The command line, a setting or a file cannot be used (EX_CONFIG). */
  config: EXIT_CODES.config,
} as const;

/** What stands for a code. */
export type VerbExit = keyof typeof VERB_EXIT_CODES;
