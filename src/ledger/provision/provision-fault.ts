import { ServiceError } from '../../errors/service-error.ts';

/** The error for an input file: PROVISION_INVALID with a message that starts with the path. */
export function fileFault(path: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError('PROVISION_INVALID', `${path} ${what}`, { file: path }, { cause });
}

/** The error for a file that cannot be read, in the system's words for the common causes. */
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
