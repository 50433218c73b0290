import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readFault } from './provision-fault.ts';

/**
 * The account files of a folder, sorted by name. Files that do not end in `.json` are ignored, as in
 * solana-test-validator.
 *
 * @throws {ServiceError} PROVISION_INVALID if the folder cannot be read.
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
