import { Clusters } from '../../src/chain/clusters.ts';
import { createGetBalance, createGetPrivateBalance } from '../../src/payments/balances.ts';
import { createCreateLookupTable } from '../../src/payments/create-lookup-table.ts';
import { createDeposit } from '../../src/payments/deposit.ts';
import { createExplainTransaction } from '../../src/payments/explain-transaction.ts';
import { createInitializeMint } from '../../src/payments/initialize-mint.ts';
import { createChallenge, createLogin } from '../../src/payments/login.ts';
import type { Operation } from '../../src/payments/operation.ts';
import { createRecoverShuttles } from '../../src/payments/recover-shuttles.ts';
import { createSendTransaction } from '../../src/payments/send-transaction.ts';
import { withSimulation } from '../../src/payments/simulation/with-simulation.ts';
import { createGetStealthPool, createStealthPool } from '../../src/payments/stealth-pool.ts';
import { createSwapQuote } from '../../src/payments/swap-quote.ts';
import { createSwap } from '../../src/payments/swap.ts';
import {
  createEnsureTransferQueueCrank,
  createIsMintInitialized,
} from '../../src/payments/transfer-queue.ts';
import { createTransfer } from '../../src/payments/transfer.ts';
import { createUndelegate } from '../../src/payments/undelegate.ts';
import { createWithdraw } from '../../src/payments/withdraw.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { systemRandom as random } from '../../src/ports/random.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { MapChain, mintData } from '../ports/map-chain.ts';

const clusters = new Clusters([new MapChain().put(USDC_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) })]);

const builders = (
  [
    createDeposit({ clusters, random }),
    createWithdraw({ clusters, random }),
    createTransfer({ clusters, random }),
    createInitializeMint({ clusters }),
    createUndelegate({ clusters }),
    createStealthPool({ clusters }),
  ] as Operation[]
).map((operation) => withSimulation(operation, clusters));

/** The tested payment operations, on a chain with one mint. */
export const SERVED_OPERATIONS = [
  ...builders,
  createGetBalance(clusters),
  createGetPrivateBalance({ clusters }),
  createIsMintInitialized({ clusters }),
  createGetStealthPool({ clusters }),
  createSwapQuote({ clusters, swaps: { upstream: null, desk: null } }),
  createSwap({ clusters, swaps: { upstream: null, desk: null }, random }),
  createRecoverShuttles({ clusters }),
  createCreateLookupTable({ clusters, sponsor: null }),
  createExplainTransaction({ clusters, operations: builders, sponsor: null }),
  createSendTransaction({ clusters, waiting: { clock: systemClock, sleep: () => Promise.resolve() } }),
  createEnsureTransferQueueCrank({
    clusters,
    sendFromThrowaway: () => Promise.reject(new Error('nothing is sent here')),
  }),
  createChallenge({ clusters }),
  createLogin({ clusters }),
] as Operation[];
