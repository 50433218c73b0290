import { silentLogger, type Logger } from '../../../ports/logger.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Passes on what a folder's store warns of, as of a write that was cut off, and what fails in it. Nothing
 * else that it logs.
 */
export function warningsTo({ tell }: Pick<Terminal, 'tell'>): Logger {
  const warn = (fields: object, message: string): void =>
    tell(`${printable(`${message} ${JSON.stringify(fields)}`)}\n`);
  const error = ({ err }: { readonly err?: unknown }, message: string): void =>
    tell(`${printable(`${message}: ${err instanceof Error ? err.message : String(err)}`)}\n`);
  return { ...silentLogger, warn, error };
}
