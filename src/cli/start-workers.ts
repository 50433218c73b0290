import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import { systemClock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { findFreePort } from '../stack/listening.ts';
import { WorkerPool } from '../workers/worker-pool.ts';

/**
 * Starts the workers of the tool service with the arguments of this process.
 *
 * @throws {ServiceError} CONFIG_INVALID when there is no port for them.
 */
export async function startWorkers(config: Config, logger: Logger): Promise<WorkerPool> {
  const own = fileURLToPath(import.meta.url);
  return new WorkerPool({
    count: config.workers,
    entry: fileURLToPath(new URL(`worker${extname(own)}`, import.meta.url)),
    args: process.argv.slice(2),
    port: config.port === 0 ? await findFreePort(config) : config.port,
    clock: systemClock,
    logger,
  });
}
