import { join } from 'node:path';
import { isGateway, type Config } from '../config/config.ts';
import { MemoryTables, type Tables } from '../ports/tables.ts';
import { IdempotencyKeys } from '../service/rest/idempotency-keys.ts';
import { TableKeyStore } from '../service/rest/key-store.ts';
import { LmdbTables } from './lmdb-tables.ts';
import type { Nodes } from './nodes.ts';
import type { Ports } from './ports.ts';
import type { Resource } from './resources.ts';

/** The file in the data folder. LMDB's reader table is in one of the same name with `-lock` appended. */
const FILE = 'shared.mdb';

/** What the processes that serve the same share. */
export interface SharedState extends Resource {
  readonly tables: Tables;
  readonly idempotencyKeys: IdempotencyKeys;
}

/**
 * Opens what the processes that serve the same share: in the data folder, or in memory where there is none.
 * An answer is found as long as the base ledger is the one that it is about, over restarts too.
 *
 * @throws {ServiceError} as LmdbTables.
 */
export function openSharedState(
  config: Pick<Config, 'dataDir' | 'ledgerUpstreamUrl'>,
  { base, dataFolder, ledgers }: Pick<Nodes, 'base' | 'dataFolder' | 'ledgers'>,
  ports: Ports,
): SharedState {
  // A front of a real cluster has no ledger in the folder. Without a node there is one client, over stdio.
  const folder = isGateway(config) && base !== null ? config.dataDir : dataFolder;
  const onDisk = folder === null ? null : new LmdbTables(join(folder, FILE), ports.logger);
  const tables: Tables = onDisk ?? new MemoryTables();
  const about = (): string => ledgers?.base.genesisHash ?? '';
  return {
    tables,
    idempotencyKeys: new IdempotencyKeys(new TableKeyStore(tables, ports.clock), ports.logger, about),
    close: () => onDisk?.close(),
  };
}
