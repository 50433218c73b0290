import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ServiceError } from '../errors/service-error.ts';

const FILE = '.env';

/**
 * Reads the .env file of a folder (default: the working folder). Returns no variables if the file is missing.
 * The environment overrides them.
 *
 * @throws {ServiceError} CONFIG_INVALID if the file cannot be read.
 */
export function readEnvFile(folder = '.'): Readonly<Record<string, string>> {
  try {
    return parseEnv(readFileSync(join(folder, FILE), 'utf8')) as Record<string, string>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new ServiceError('CONFIG_INVALID', describeUnreadable(code), {}, { cause: error });
  }
}

function describeUnreadable(code: string | undefined): string {
  return code === 'EISDIR'
    ? `${FILE} is a folder, but it must be a file: rename it, or start in another folder`
    : `The settings file ${FILE} cannot be read (${code ?? 'unknown reason'}): give this user read permission`;
}
