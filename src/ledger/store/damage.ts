import { join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';

/** Where in a ledger's folder something is wrong. */
interface DamagePlace {
  readonly folder: string;
  readonly file: string;
  /** Bytes from the beginning of the file, where that can be told. */
  readonly offset?: number;
}

/** What is kept is not what was written, so nothing may be concluded from it. LEDGER_DAMAGED. */
export function ledgerDamaged({ folder, file, offset }: DamagePlace, what: string): ServiceError {
  const where = join(folder, file) + (offset === undefined ? '' : ` at byte ${offset}`);
  return new ServiceError(
    'LEDGER_DAMAGED',
    `The ledger is damaged in ${where}: ${what}. Nothing was changed. Put back a copy of the folder ${folder}, or start with --reset to begin a new ledger there`,
    { folder, file, ...(offset === undefined ? {} : { offset }) },
  );
}
