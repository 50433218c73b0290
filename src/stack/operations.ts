import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../chain/chain.ts';
import { assertClusterSettings } from '../chain/cluster-settings.ts';
import type { Clusters } from '../chain/clusters.ts';
import { type Config, isGateway } from '../config/config.ts';
import { findNearestName } from '../errors/nearest-name.ts';
import { ServiceError } from '../errors/service-error.ts';
import { addSponsorMetrics } from '../metrics/ledger-metrics.ts';
import type { Registry } from '../metrics/registry.ts';
import { createGetBalance, createGetPrivateBalance } from '../payments/balances.ts';
import { createCreateLookupTable } from '../payments/create-lookup-table.ts';
import { createDeposit } from '../payments/deposit.ts';
import { createExplainTransaction } from '../payments/explain-transaction.ts';
import { type BudgetStore, TableBudgetStore } from '../payments/fees/budget-store.ts';
import { type Sponsor, SponsorBudget } from '../payments/fees/sponsor.ts';
import { createInitializeMint } from '../payments/initialize-mint.ts';
import { createChallenge, createLogin } from '../payments/login.ts';
import { type SuggestValue, suggestValues } from '../payments/fields/suggest-value.ts';
import { ANONYMOUS, type Operation } from '../payments/operation.ts';
import { withSeenSlots } from '../payments/seen-slots.ts';
import { createRecoverShuttles } from '../payments/recover-shuttles.ts';
import { createSendTransaction } from '../payments/send-transaction.ts';
import type { Waiting } from '../payments/send-transaction/submit.ts';
import { withSimulation } from '../payments/simulation/with-simulation.ts';
import { createGetStealthPool, createStealthPool } from '../payments/stealth-pool.ts';
import { createSwapQuote } from '../payments/swap-quote.ts';
import { createSwap } from '../payments/swap.ts';
import type { SwapSources } from '../payments/swap/source.ts';
import { createEnsureTransferQueueCrank, createIsMintInitialized } from '../payments/transfer-queue.ts';
import { createTransfer } from '../payments/transfer.ts';
import { createUndelegate } from '../payments/undelegate.ts';
import { createWithdraw } from '../payments/withdraw.ts';
import { FACILITATOR_CALLS } from '../facilitator/routes.ts';
import { systemClock } from '../ports/clock.ts';
import { silentLogger } from '../ports/logger.ts';
import { MemoryTables } from '../ports/tables.ts';
import { systemTimer } from '../ports/timer.ts';
import type { SpendingPolicy } from '../policy/policy.ts';
import { SpendingGuard } from '../policy/spending-guard.ts';
import { toolName } from '../service/mcp/tools.ts';
import { REST_TABLE } from '../service/rest/rest-table.ts';
import { createKeySponsor, createThrowawaySender } from '../signing/service-keys.ts';
import { type Address, isAddress } from '../solana/address.ts';
import type { LocalFaucet } from '../wallets/fund.ts';
import { TestWallets, withLogins } from '../wallets/test-wallets.ts';
import { createPaymentCheck, type PaymentCheck } from '../wallets/payment-check.ts';
import { createWalletOperations, WALLET_TOOLS } from '../wallets/wallet-operations.ts';
import { openFacilitatorKey, openPrices } from './facilitator.ts';
import type { Ports } from './node.ts';
import { openSpendingPolicy } from './spending-policy.ts';

/** Dependencies of operations in addition to the clusters. */
interface OperationParts {
  /** Stores the spending of a sponsor. Default: in memory. */
  readonly budget?: BudgetStore;
  /** The registry for metrics. */
  readonly registry?: Registry;
  /** Source of swaps. Default: none. */
  readonly swaps?: SwapSources;
}

/** Creates the operations that the settings select, in the order of the tool list. */
export function createOperations(
  config: SponsorSettings & Partial<Choice>,
  clusters: Clusters,
  ports: Ports,
  parts: OperationParts = {},
): Operation[] {
  const { budget = new TableBudgetStore(new MemoryTables(), ports.clock, 'sponsor'), registry } = parts;
  const { swaps = NO_SWAPS } = parts;
  const { random } = ports;
  const sponsor = openSponsor(config, ports, budget, registry);
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
    createSwapQuote({ clusters, swaps }),
    createSwap({ clusters, swaps, random }),
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

const NO_SWAPS: SwapSources = { upstream: null, desk: null };

/** The settings that select operations. */
export type Choice = Pick<Config, 'tools' | 'readOnly'>;

/** Returns the selected operations. Each names its clusters. Operations without a cluster are not listed. */
function offerOperations(
  operations: readonly Operation[],
  clusters: Clusters,
  choice: Partial<Choice>,
): Operation[] {
  return chooseOperations(operations, choice).map((operation) =>
    withSeenSlots(describeClusters(operation, clusters), clusters),
  );
}

/** Selects the operations in `TOOLS`, by default all. `READ_ONLY` leaves only those that build and read. */
function chooseOperations(
  operations: readonly Operation[],
  { tools = [], readOnly = false }: Partial<Choice>,
): readonly Operation[] {
  const named = new Set(tools.map(plainName));
  return operations
    .filter((operation) => named.size === 0 || named.has(plainName(toolName(operation))))
    .filter(({ effect }) => !readOnly || effect === 'build' || effect === 'read');
}

/** The tools of test wallets, which REST does not have. */
const LOCAL_TOOLS = WALLET_TOOLS.map((name) => `localnet.${name}`);

/**
 * Checks the names in `TOOLS`.
 *
 * @throws {ServiceError} CONFIG_INVALID with a line for each unknown name and the most similar tool.
 */
export function assertChoice({ tools }: Choice): void {
  const known = toolNames().map(plainName);
  const faults = tools.flatMap((tool) => {
    const name = plainName(tool);
    if (known.includes(name)) return [];
    const nearest = findNearestName(name, known);
    const fix = nearest === undefined ? `the tools are ${known.join(', ')}` : `did you mean ${nearest}?`;
    return [`TOOLS names ${JSON.stringify(tool)}, which is not a tool: ${fix}`];
  });
  if (faults.length > 0) throw new ServiceError('CONFIG_INVALID', faults.join('\n'));
}

/** Returns the names of all calls of the service that are scopes, whether they are offered or not. */
export const scopedNames = (): readonly string[] => [...toolNames(), ...FACILITATOR_CALLS];

/** Returns the names of all tools, whether they are offered or not. */
const toolNames = (): readonly string[] => [
  ...Object.keys(REST_TABLE).map((name) => toolName({ name })),
  ...LOCAL_TOOLS,
];

/** Normalizes a name: `spl.deposit`, `spl_deposit` and `deposit` are the same operation. */
const plainName = (tool: string): string => tool.replace(/^spl[._]/, '').replace(/^localnet_/, 'localnet.');

function describeClusters(operation: Operation, clusters: Clusters): Operation {
  const chains = clusters.names.map((name) => clusters.resolve(name));
  const notes = operation.clusterNotes?.(clusters.resolve(undefined)) ?? [];
  const description = [operation.description, ...notes].join(' ');
  const able = chains.filter((chain) => operation.worksOn?.(chain) ?? true);
  // Clusters that callers name by URL may support more operations.
  if (able.length === chains.length || clusters.takesUrls) return { ...operation, description };
  if (able.length === 0) return { ...operation, isListed: false };
  return { ...operation, description: `${description} Works on ${wordsOf(able)} only.` };
}

const wordsOf = (chains: readonly Chain[]): string =>
  `${chains.length === 1 ? 'cluster' : 'clusters'} ${chains.map(({ cluster }) => cluster).join(', ')}`;

type SponsorSettings =
  | { readonly gaslessSponsorSecretKey: null }
  | Pick<Config, 'gaslessSponsorSecretKey' | 'gaslessSolPerHour' | 'gaslessMints'>;

/**
 * Opens the sponsor of gasless transfers; undefined if none is set.
 *
 * @param store stores its spending, shared by all processes.
 * @param registry the registry for the metrics of its budget.
 * @throws {ServiceError} CONFIG_INVALID if the secret key or a mint is invalid.
 */
function openSponsor(
  settings: SponsorSettings,
  { logger, timer = systemTimer }: Pick<Ports, 'logger' | 'timer'>,
  store: BudgetStore,
  registry?: Registry,
): Sponsor | undefined {
  if (settings.gaslessSponsorSecretKey === null) return undefined;
  const { gaslessSponsorSecretKey, gaslessSolPerHour, gaslessMints } = settings;
  const budget = new SponsorBudget({ logger, timer }, store, gaslessSolPerHour);
  const sponsor = createKeySponsor(gaslessSponsorSecretKey.reveal(), 'GASLESS_SPONSOR_SECRET_KEY', {
    budget,
    customMints: gaslessMints.map(mintOf),
  });
  if (registry !== undefined) addSponsorMetrics(registry, () => budget.figures());
  return sponsor;
}

function mintOf(text: string): Address {
  if (isAddress(text)) return text;
  throw new ServiceError('CONFIG_INVALID', 'GASLESS_MINTS must be base58 Solana addresses of 32 bytes');
}

interface LocalToolsParts {
  readonly config: Pick<Config, 'localnetWallets' | 'spendingPolicy'> & Partial<Choice>;
  readonly clusters: Clusters;
  readonly ports: Ports;
  /** The cluster `localnet` and its faucet; null if there is none. */
  readonly localnet: { readonly chain: Chain; readonly faucet: LocalFaucet } | null;
}

/** The operations of the service, and those that are only MCP tools. */
interface Offer {
  readonly operations: readonly Operation[];
  readonly toolOperations: readonly Operation[];
  readonly suggest: SuggestValue;
}

/** Adds the tools of test wallets if `LOCALNET_WALLETS` is set. Operations then use their logins. */
export function withLocalTools(operations: readonly Operation[], parts: LocalToolsParts): Offer {
  const { config, clusters, ports, localnet } = parts;
  const suggest = suggestValues(clusters);
  if (!config.localnetWallets || localnet === null) return { operations, toolOperations: [], suggest };
  const { chain, faucet } = localnet;
  const wallets = new TestWallets(ports.random);
  const { run } = createSendTransaction({ clusters, waiting: REAL_WAITING });
  const policy = openSpendingPolicy(config);
  const toolOperations = createWalletOperations({
    wallets,
    chain,
    faucet,
    waiting: REAL_WAITING,
    send: (sent) => run(sent, ANONYMOUS),
    check: policy && createWalletCheck(policy, wallets, clusters),
  });
  return {
    operations: operations.map((operation) => withLogins(operation, wallets, clusters)),
    toolOperations: chooseOperations(toolOperations, config),
    suggest,
  };
}

/** Creates the check of test wallets. Their payments are forgotten with their keys. */
function createWalletCheck(policy: SpendingPolicy, wallets: TestWallets, clusters: Clusters): PaymentCheck {
  const { run } = createExplainTransaction({
    clusters,
    operations: [],
    sponsor: null,
    // A rollup hides who owns a private account, which then follows only from its address.
    owners: () => [...(policy.recipients ?? []).filter(isAddress), ...wallets.addresses()],
  });
  return createPaymentCheck({
    guard: new SpendingGuard(policy, new MemoryTables(), systemClock),
    approver: policy.approver,
    explain: async ({ transactionBase64, sendTo }, wallet) => {
      const input = { transactionBase64, sendTo, wallet, cluster: 'localnet' };
      return (await run(input, { token: wallets.tokenOf(wallet) })).output;
    },
  });
}

/** Waiting in real time, because the clock of a localnet may stand still. */
const REAL_WAITING: Waiting = { clock: systemClock, sleep };

/**
 * Checks the settings, before a ledger is created or deleted.
 *
 * @throws {ServiceError} CONFIG_INVALID.
 */
export function assertSettings(config: Config): void {
  assertClusterSettings(config, !isGateway(config));
  const budget = new TableBudgetStore(new MemoryTables(), systemClock, 'sponsor');
  openSponsor(config, { logger: silentLogger }, budget);
  openFacilitatorKey(config);
  openSpendingPolicy(config);
  openPrices(config);
  assertChoice(config);
}
