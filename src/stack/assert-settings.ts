import { assertClusterSettings } from '../chain/assert-cluster-settings.ts';
import { isGateway, type Config } from '../config/config.ts';
import { assertChoice } from './offered-operations.ts';
import { openSponsor } from './open-sponsor.ts';

/**
 * Checks what the settings alone decide, before a ledger is made or thrown away for a program that cannot start.
 *
 * @throws {ServiceError} CONFIG_INVALID.
 */
export function assertSettings(config: Config): void {
  assertClusterSettings(config, !isGateway(config));
  openSponsor(config);
  assertChoice(config);
}
