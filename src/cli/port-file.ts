import { rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { ServiceError } from '../errors/service-error.ts';

/** The addresses of a running stack. */
export interface PortFile {
  /** The tool service. */
  readonly service: string;
  /** The ledger node; its WebSocket is on the next port. */
  readonly base: string;
  /** Null if there is none. */
  readonly rollup: string | null;
  /** Version of the programs of private payments. */
  readonly layout: 'a' | 'b';
}

/**
 * Writes the file atomically, and deletes it when this process exits.
 *
 * @throws {ServiceError} CONFIG_INVALID when it cannot be written.
 */
export async function keepPortFile(path: string, places: PortFile): Promise<void> {
  const beside = `${path}.${process.pid}`;
  try {
    await writeFile(beside, `${JSON.stringify(places)}\n`);
    await rename(beside, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ServiceError(
      'CONFIG_INVALID',
      `--port-file cannot be written (${code ?? 'unknown reason'}): ${path}`,
    );
  }
  process.once('exit', () => rmSync(path, { force: true }));
}
