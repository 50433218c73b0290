import type { AccountEntry } from '../genesis/genesis.ts';
import { ledgerFull } from '../run/data-ceiling.ts';

/**
 * Bytes reserved for the accounts of every ledger (native programs, sysvars, validators): about 1.4 MB with
 * litesvm 1.4.1.
 */
const OWN_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Checks that a new ledger has room for all its initial accounts, before the existing one is deleted for it.
 *
 * @param provided the operator's accounts; without any a new ledger always fits.
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
