import { isServiceError } from '../errors/service-error.ts';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';

/**
 * Exits after a failed start. Prints the message of an error that the user can fix, and the stack of a bug.
 *
 * @param isRestart whether an earlier start succeeded. A port in use may then become free again.
 */
export function fail(error: unknown, isRestart = false): never {
  if (!isServiceError(error)) return die(error);
  process.stderr.write(`${error.title}:\n${error.message}\n`);
  const isHeld = error.code === 'LEDGER_FOLDER_IN_USE' || (isRestart && error.code === 'PORT_IN_USE');
  process.exit(isHeld ? EXIT_CODES.held : EXIT_CODES.config);
}

/** Exits on an uncaught exception. Supervisors retry after this exit code, but not after invalid settings. */
export function failOnUncaught(): void {
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}

/** Prints the stack trace of a bug and exits. */
export function die(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(EXIT_CODES.fault);
}
