import { assertClusterSettings } from '../chain/cluster-settings.ts';
import { type Config, isGateway } from '../config/config.ts';
import { systemClock } from '../ports/clock.ts';
import { silentLogger } from '../ports/logger.ts';
import { MemoryTables } from '../ports/tables.ts';
import { assertChoice } from './offered-operations.ts';
import { openSponsor } from './open-sponsor.ts';

/**
 * Checks what can be checked from the settings alone, before a ledger is created or deleted for a program
 * that cannot start.
 *
 * @throws {ServiceError} CONFIG_INVALID.
 */
export function assertSettings(config: Config): void {
  assertClusterSettings(config, !isGateway(config));
  openSponsor(config, { clock: systemClock, logger: silentLogger }, new MemoryTables());
  assertChoice(config);
}
