import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of a folder that nobody has made yet. It has no name that others could guess and make first. */
export function nameScratchFolder(): string {
  return join(tmpdir(), `spl-private-payments-${randomUUID()}`);
}

/**
 * Throws a scratch folder away when this process ends, if `isOurs` says so then. A process that is killed leaves it to
 * the system, which clears its temporary folder.
 */
export function throwAwayAtExit(folder: string, isOurs: () => boolean = () => true): void {
  process.once('exit', () => {
    if (isOurs()) rmSync(folder, { recursive: true, force: true });
  });
}
