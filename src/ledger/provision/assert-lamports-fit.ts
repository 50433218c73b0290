import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { LAMPORTS_MAX } from '../run/fee.ts';

/** Left for what every ledger has of its own (sysvars, native programs, validators): a million SOL. */
const OWN_LAMPORTS_MAX = 1_000_000n * 1_000_000_000n;

/**
 * Checks that the lamports of a ledger can be counted together, as u64, once these accounts are on it:
 * nothing could be put on it otherwise, and its supply could not be told.
 *
 * @param total lamports of all accounts there would be.
 * @throws {ServiceError} PROVISION_INVALID naming the account among `provided` that has most.
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
    `${nameOf(address)} has ${lamports} lamports, too many: with them all accounts together would have more than fit into 64 bits`,
    { account: address },
  );
}
