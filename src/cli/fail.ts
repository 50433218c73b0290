import { isServiceError } from '../errors/service-error.ts';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';

/** Ends the process: what the user can mend is told plainly, anything else is a bug and is told with its stack. */
export function fail(error: unknown): never {
  if (isServiceError(error)) {
    process.stderr.write(`${error.title}:\n${error.message}\n`);
    process.exit(EXIT_CODES.config);
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(EXIT_CODES.fault);
}

/** Nothing goes on after an exception nobody caught. */
export function failOnUncaught(): void {
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}
