import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The path of a folder that does not exist yet. Its name cannot be guessed, so nobody else can create it
 * first.
 */
export function nameScratchFolder(): string {
  return join(tmpdir(), `spl-private-payments-${randomUUID()}`);
}

/**
 * Removes a scratch folder when this process exits, if `isOurs` returns true then. After a kill the system
 * clears it with its temporary folder.
 */
export function throwAwayAtExit(folder: string, isOurs: () => boolean = () => true): void {
  process.once('exit', () => {
    if (isOurs()) rmSync(folder, { recursive: true, force: true });
  });
}
