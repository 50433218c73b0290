import { isServiceError } from '../errors/service-error.ts';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';

/**
 * Ends a start that failed: what the user can mend is told plainly, a bug with its stack. `isRestart` where
 * an earlier start had what it needs: who has taken a port since may let it go.
 */
export function fail(error: unknown, isRestart = false): never {
  if (!isServiceError(error)) return die(error);
  process.stderr.write(`${error.title}:\n${error.message}\n`);
  const isHeld = error.code === 'LEDGER_FOLDER_IN_USE' || (isRestart && error.code === 'PORT_IN_USE');
  process.exit(isHeld ? EXIT_CODES.held : EXIT_CODES.config);
}

/**
 * Nothing goes on after an exception nobody caught. Whatever it is, it is a fault of ours and no fault of the
 * settings, of which a supervisor would take the exit code for final.
 */
export function failOnUncaught(): void {
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}

/** Ends the process because of a fault. */
export function die(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(EXIT_CODES.fault);
}
