import type { Layout } from '../../src/chain/chain.ts';
import { deriveProgramData } from '../../src/ledger/genesis/program-accounts.ts';
import { findMisfits } from '../../src/ledger/network-programs/layout-b.ts';
import {
  areOfPackage,
  NETWORK_PROGRAMS,
  readLedgerPrograms,
} from '../../src/ledger/network-programs/network-programs.ts';
import { openClusterAccounts } from '../../src/ledger/provision/clone-accounts.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { systemRandom } from '../../src/ports/random.ts';

const PORTS = { clock: systemClock, random: systemRandom, logger: silentLogger };

/**
 * The layout of the programs that a node's ledger runs, judged by their code as the node itself judges it.
 * Null where it does not have them all, or they are of neither.
 *
 * @throws {ServiceError} UPSTREAM_* when the node does not answer, PROVISION_INVALID for code that no engine
 *   loads.
 */
export async function readBaseLayout(url: string): Promise<Layout | null> {
  const keys = NETWORK_PROGRAMS.flatMap(({ address }) => [address, deriveProgramData(address)]);
  const source = openClusterAccounts(new URL(url), PORTS, 'the base chain');
  try {
    const accounts = await source.getAccounts(keys);
    const dumps = readLedgerPrograms({ getAccount: (address) => accounts[keys.indexOf(address)] ?? null });
    if (dumps === null) return null;
    if (areOfPackage(dumps)) return 'a';
    return (await findMisfits(dumps)).length === 0 ? 'b' : null;
  } finally {
    source.close();
  }
}
