import type { AccountEntry } from '../genesis/genesis.ts';
import { ledgerFull } from '../run/data-ceiling.ts';

/**
 * Left for what every ledger has besides (native programs, sysvars, validators): about 1.4 MB with litesvm
 * 1.4.1.
 */
const OWN_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Checks that a new ledger has room for everything it would begin with, before one that is kept is thrown
 * away for it.
 *
 * @param provided the accounts of the operator; without any a new ledger always fits.
 * @throws {ServiceError} LEDGER_FULL naming the setting.
 */
export function assertBytesFit(
  provided: readonly AccountEntry[],
  all: readonly AccountEntry[],
  bytesMax: number,
): void {
  const bytes = [...new Map(all).values()].reduce((sum, { data }) => sum + data.length, OWN_BYTES_MAX);
  if (provided.length > 0 && bytes > bytesMax) throw ledgerFull(bytes, bytesMax);
}
