import { ServiceError } from '../../errors/service-error.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { ledgerFull } from '../run/data-ceiling.ts';
import { LAMPORTS_MAX } from '../run/fee.ts';

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

/** Lamports reserved for the accounts of every ledger: a million SOL. */
const OWN_LAMPORTS_MAX = 1_000_000n * 1_000_000_000n;

/**
 * Checks that the total lamports of a ledger still fit into a u64 with these accounts. Beyond that no account
 * could be set and the supply could not be reported.
 *
 * @param total lamports of all accounts, these included.
 * @throws {ServiceError} PROVISION_INVALID naming the account among `provided` with the most lamports.
 */
export function assertLamportsFit(
  provided: readonly AccountEntry[],
  total: bigint,
  nameOf: (address: AccountEntry[0]) => string,
): void {
  const [richest] = provided.toSorted(([, a], [, b]) => (a.lamports < b.lamports ? 1 : -1));
  if (richest === undefined || total <= LAMPORTS_MAX - OWN_LAMPORTS_MAX) return;
  const [address, { lamports }] = richest;
  throw new ServiceError(
    'PROVISION_INVALID',
    `${nameOf(address)} has ${lamports} lamports, too many: the total of all accounts would not fit into 64 bits`,
    { account: address },
  );
}
