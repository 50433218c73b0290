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
 * Detects the layout of a node's programs from their code, like the node does. Null if a program is missing
 * or of an unknown layout.
 *
 * @throws {ServiceError} UPSTREAM_* if the node does not respond, PROVISION_INVALID if no engine can load the
 *   code.
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
