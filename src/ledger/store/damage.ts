import { join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';

/** The location of a fault in a ledger folder. */
interface DamagePlace {
  readonly folder: string;
  readonly file: string;
  /** Byte offset in the file, if known. */
  readonly offset?: number;
}

/** The LEDGER_DAMAGED error: stored data is not what was written, so nothing can be concluded from it. */
export function ledgerDamaged({ folder, file, offset }: DamagePlace, what: string): ServiceError {
  const where = join(folder, file) + (offset === undefined ? '' : ` at byte ${offset}`);
  return new ServiceError(
    'LEDGER_DAMAGED',
    `The ledger is damaged in ${where}: ${what}. Nothing was changed. Restore a copy of the folder ${folder}, or start with --reset to begin a new ledger there`,
    { folder, file, ...(offset === undefined ? {} : { offset }) },
  );
}
