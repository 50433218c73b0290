import { ServiceError } from '../../errors/service-error.ts';

/** What is wrong with a file that was given: `PROVISION_INVALID` with a message that begins with its path. */
export function fileFault(path: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError('PROVISION_INVALID', `${path} ${what}`, { file: path }, { cause });
}

/** Why a file cannot be read, in words: the system's for the causes people meet. */
export function readFault(path: string, error: unknown): ServiceError {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: 'does not exist',
    EISDIR: 'is a folder and not a file',
    ENOTDIR: 'is not a folder',
    EACCES: 'may not be read by this user',
  };
  return fileFault(path, (code && reasons[code]) ?? `cannot be read${code ? ` (${code})` : ''}`, error);
}
