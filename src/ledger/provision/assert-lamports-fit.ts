import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { LAMPORTS_MAX } from '../run/fee.ts';

/**
 * Lamports reserved for the accounts of every ledger (sysvars, native programs, validators): a million SOL.
 */
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
  nameOf: (address: Address) => string,
): void {
  const [first, ...rest] = provided;
  if (first === undefined || total <= LAMPORTS_MAX - OWN_LAMPORTS_MAX) return;
  const [address, { lamports }] = rest.reduce(
    (most, entry) => (entry[1].lamports > most[1].lamports ? entry : most),
    first,
  );
  throw new ServiceError(
    'PROVISION_INVALID',
    `${nameOf(address)} has ${lamports} lamports, too many: the total of all accounts would not fit into 64 bits`,
    { account: address },
  );
}
