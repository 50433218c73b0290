import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, isGateway, usesApiKeys } from '../config/config.ts';
import type { Secret } from '../config/secret.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type PaymentStore, TablePaymentStore } from '../settlement/payment-store.ts';
import { silentLogger } from '../ports/logger.ts';
import { MemoryTables, type Tables } from '../ports/tables.ts';
import { LmdbTables } from '../state/lmdb-tables.ts';
import { IdempotencyKeys } from '../service/rest/idempotency-keys.ts';
import { type KeyStore, TableKeyStore } from '../service/rest/key-store.ts';
import { type BudgetStore, TableBudgetStore } from '../payments/fees/budget-store.ts';
import { systemClock } from '../ports/clock.ts';
import { type ApiKeyStore, TableApiKeyStore } from '../service/auth/api-key-store.ts';
import { type LoginStore, TableLoginStore } from '../service/mcp/logins/login-store.ts';
import type { Merchant } from '../checkout/merchants.ts';
import type { Order, PaymentLink } from '../checkout/order.ts';
import { type RecordStore, TableRecordStore } from '../checkout/record-store.ts';
import type { Ports, Resource } from './node.ts';
import type { Nodes } from './nodes.ts';

/** The file in the data folder. LMDB's reader table is in a second file with the suffix `-lock`. */
const FILE = 'shared.mdb';

/** The file of API keys, which is also never replaced by an empty file. */
const API_KEYS_FILE = 'api-keys.mdb';

/** The file of payments, which is never replaced by an empty file. */
const PAYMENTS_FILE = 'payments.mdb';

/** Names of the budgets. */
const BUDGETS = { sponsor: 'sponsor', facilitator: 'facilitator' };

/** Names of the record kinds. */
const RECORDS = { merchants: 'merchants', orders: 'orders', links: 'payment links' };

/** The clock for logins and payments: the system's, because a localnet's clock may stand still. */
const REAL_CLOCK = systemClock;

/** The stores behind the state that all processes of a service share. */
interface Stores extends Resource {
  readonly keys: KeyStore;
  readonly apiKeys: ApiKeyStore;
  readonly logins: LoginStore;
  /** Spending of the gasless sponsor. */
  readonly sponsorBudget: BudgetStore;
  readonly payments: PaymentStore;
  readonly merchants: RecordStore<Merchant>;
  readonly orders: RecordStore<Order>;
  readonly links: RecordStore<PaymentLink>;
  /** The spending of the facilitator of x402 payments. */
  readonly facilitatorBudget: BudgetStore;
  /** The tables of the facilitator; null if its payments are in PostgreSQL. */
  readonly facilitatorTables: Tables | null;
}

/** The state that all processes of a service share. */
export interface SharedState extends Omit<Stores, 'keys'> {
  readonly idempotencyKeys: IdempotencyKeys;
}

type StateSettings = Pick<
  Config,
  'apiAuth' | 'checkoutSecret' | 'dataDir' | 'facilitatorSecretKey' | 'ledgerUpstreamUrl' | 'stateUrl'
>;

/**
 * Opens the shared state in PostgreSQL, in the data folder, or in memory. Stored responses survive restarts
 * while the base ledger is the same.
 *
 * @throws {ServiceError} the errors of LmdbTables.
 */
export async function openSharedState(
  config: StateSettings,
  nodes: Pick<Nodes, 'base' | 'dataFolder' | 'ledgers'>,
  ports: Ports,
): Promise<SharedState> {
  const { stateUrl } = config;
  const stores =
    stateUrl === null ? openTableStores(config, nodes, ports) : await openDatabaseStores(stateUrl.reveal());
  const about = (): string => nodes.ledgers?.base.genesisHash ?? '';
  const { keys, ...state } = stores;
  return { ...state, idempotencyKeys: new IdempotencyKeys(keys, ports.logger, about) };
}

function openTableStores(
  config: StateSettings,
  { base, dataFolder }: Pick<Nodes, 'base' | 'dataFolder'>,
  { clock, logger }: Ports,
): Stores {
  // A gateway has no ledger in the folder. A service without a node has only one client, over stdio.
  const folder = isGateway(config) && base !== null ? config.dataDir : dataFolder;
  const onDisk = folder === null ? null : new LmdbTables(join(folder, FILE), logger);
  const tables: Tables = onDisk ?? new MemoryTables();
  const open = (file: string, isUsed: boolean): LmdbTables | null =>
    folder !== null && isUsed ? new LmdbTables(join(folder, file), logger, true) : null;
  const payments = open(
    PAYMENTS_FILE,
    config.facilitatorSecretKey !== null || config.checkoutSecret !== null,
  );
  const apiKeys = open(API_KEYS_FILE, usesApiKeys(config));
  return {
    keys: new TableKeyStore(tables, clock),
    apiKeys: new TableApiKeyStore(apiKeys ?? tables),
    logins: new TableLoginStore(tables, REAL_CLOCK),
    sponsorBudget: new TableBudgetStore(tables, clock, BUDGETS.sponsor),
    payments: new TablePaymentStore(payments ?? tables, REAL_CLOCK),
    merchants: new TableRecordStore(payments ?? tables, RECORDS.merchants),
    orders: new TableRecordStore(payments ?? tables, RECORDS.orders),
    links: new TableRecordStore(payments ?? tables, RECORDS.links),
    facilitatorBudget: new TableBudgetStore(tables, REAL_CLOCK, BUDGETS.facilitator),
    facilitatorTables: payments ?? tables,
    close: async () => {
      await payments?.close();
      await apiKeys?.close();
      await onDisk?.close();
    },
  };
}

async function openDatabaseStores(url: string): Promise<Stores> {
  // Most services have no database and do not load its client.
  const { openPostgresStores } = await import('../state/postgres/stores.ts');
  return { ...openPostgresStores(url, REAL_CLOCK, BUDGETS, RECORDS), facilitatorTables: null };
}

/**
 * Opens the API keys of a service that may be running: in PostgreSQL, or in its data folder.
 *
 * @param isNew whether the folder may have no keys yet. Their file is then created.
 * @throws {ServiceError} CONFIG_INVALID if there is no file of keys; the errors of LmdbTables.
 */
export async function openApiKeyStore(
  stateUrl: Secret<string> | null,
  folder: string,
  isNew: boolean,
): Promise<ApiKeyStore & Resource> {
  if (stateUrl !== null) {
    const { apiKeys, close } = await openDatabaseStores(stateUrl.reveal());
    return Object.assign(apiKeys, { close });
  }
  const file = join(folder, API_KEYS_FILE);
  if (!isNew && !existsSync(file)) {
    throw new ServiceError(
      'CONFIG_INVALID',
      `${file} does not exist, so there are no keys: set DATA_DIR or STATE_URL as for the service`,
    );
  }
  const tables = new LmdbTables(file, silentLogger, true);
  return Object.assign(new TableApiKeyStore(tables), { close: () => tables.close() });
}
