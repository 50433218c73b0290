import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readFault } from './provision-fault.ts';

/**
 * The account files of a folder, by name; what does not end in `.json` is passed over, as
 * solana-test-validator does.
 *
 * @throws {ServiceError} PROVISION_INVALID when it cannot be read.
 */
export function listAccountFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    throw readFault(folder, error);
  }
}
