import { serveLedger } from '../../../chain/testing/ledger-upstream.ts';
import { silentLogger } from '../../../ports/logger.ts';
import type { Address } from '../../../solana/address.ts';
import { openTestLedger, type TestLedger } from '../../testing/test-ledger.ts';
import { type AccountSource, openClusterAccounts } from '../clone-accounts.ts';

/** A separate ledger behind a real socket, with a source of its accounts. */
export interface ServedCluster extends TestLedger {
  readonly source: AccountSource;
  /** The addresses of each read, in order. */
  readonly reads: (readonly Address[])[];
  close(): Promise<void>;
}

export async function startServedCluster(): Promise<ServedCluster> {
  const test = await openTestLedger();
  const server = await serveLedger(test.ledger);
  const { clock, random } = test;
  const accounts = openClusterAccounts(server.url, { clock, random, logger: silentLogger });
  const reads: (readonly Address[])[] = [];
  return {
    ...test,
    reads,
    source: {
      getAccounts(addresses) {
        reads.push(addresses);
        return accounts.getAccounts(addresses);
      },
    },
    async close() {
      accounts.close();
      await server.close();
      await test.ledger.close();
    },
  };
}
