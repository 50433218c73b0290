import type { Clusters } from '../chain/clusters.ts';
import type { Registry } from '../metrics/registry.ts';
import { createChallenge } from '../payments/challenge.ts';
import { createCreateLookupTable } from '../payments/create-lookup-table.ts';
import { createStealthPool } from '../payments/create-stealth-pool.ts';
import { createDeposit } from '../payments/deposit.ts';
import { createExplainTransaction } from '../payments/explain-transaction.ts';
import { createGetBalance } from '../payments/get-balance.ts';
import { createGetStealthPool } from '../payments/get-stealth-pool.ts';
import { createInitializeMint } from '../payments/initialize-mint.ts';
import { createLogin } from '../payments/login.ts';
import { createIsMintInitialized } from '../payments/mint-initialized.ts';
import type { Operation } from '../payments/operation.ts';
import { createGetPrivateBalance } from '../payments/private-balance.ts';
import { createEnsureTransferQueueCrank } from '../payments/queue-crank.ts';
import { createRecoverShuttles } from '../payments/recover-shuttles.ts';
import { createSendTransaction } from '../payments/send-transaction.ts';
import { withSimulation } from '../payments/simulation/with-simulation.ts';
import { createTransfer } from '../payments/transfer.ts';
import { createUndelegate } from '../payments/undelegate.ts';
import { createWithdraw } from '../payments/withdraw.ts';
import { createThrowawaySender } from '../signing/throwaway-sender.ts';
import { type Choice, offerOperations } from './offered-operations.ts';
import { MemoryTables, type Tables } from '../ports/tables.ts';
import { openSponsor, type SponsorSettings } from './open-sponsor.ts';
import type { Ports } from './ports.ts';
import { REAL_WAITING } from './real-waiting.ts';

/**
 * The operations that the settings choose, in the order of the tool list.
 *
 * @param tables where what a sponsor has spent is kept; in memory when left out.
 * @param registry where figures of theirs are added.
 */
export function createOperations(
  config: SponsorSettings & Partial<Choice>,
  clusters: Clusters,
  ports: Ports,
  tables: Tables = new MemoryTables(),
  registry?: Registry,
): Operation[] {
  const { random } = ports;
  const sponsor = openSponsor(config, ports, tables, registry);
  const builders = [
    createDeposit({ clusters, random }),
    createWithdraw({ clusters, random }),
    createTransfer({ clusters, random, ...(sponsor && { sponsor }) }),
    createInitializeMint({ clusters }),
    createUndelegate({ clusters }),
    createStealthPool({ clusters }),
  ].map((operation) => withSimulation(operation as Operation, clusters));
  const buildersOfSeveral = [
    createRecoverShuttles({ clusters }),
    createCreateLookupTable({ clusters, sponsor: sponsor?.address ?? null }),
  ] as unknown as Operation[];
  const others = [
    createGetBalance(clusters),
    createGetPrivateBalance({ clusters }),
    createIsMintInitialized({ clusters }),
    createGetStealthPool({ clusters }),
    ...buildersOfSeveral,
    createExplainTransaction({
      clusters,
      operations: [...builders, ...buildersOfSeveral],
      sponsor: sponsor?.address ?? null,
    }),
    createSendTransaction({ clusters, waiting: REAL_WAITING }),
    createEnsureTransferQueueCrank({ clusters, sendFromThrowaway: createThrowawaySender(random) }),
    createChallenge({ clusters }),
    createLogin({ clusters }),
  ];
  return offerOperations([...builders, ...(others as Operation[])], clusters, config);
}
