/** What the process of the ledger runs as its workers: the tool service, as that process says. */
import { systemClock } from '../ports/clock.ts';
import { withFields } from '../ports/logger.ts';
import { createPinoLogger } from '../ports/pino-logger.ts';
import { systemRandom } from '../ports/random.ts';
import { WorkerService } from '../stack/worker-service.ts';
import { joinPool, workerNumber } from '../workers/join-pool.ts';
import { readArguments } from './arguments.ts';
import { fail, failOnUncaught } from './fail.ts';
import { readSettings } from './settings.ts';

failOnUncaught();
try {
  const number = workerNumber();
  // The title takes the place of the arguments in lists of processes, some of which are secrets.
  process.title = `spl-private-payments worker ${number}`;
  // Of the settings file, the primary has put everything into the environment.
  const config = readSettings(process.env, readArguments(process.argv.slice(2)), null);
  const logger = withFields(createPinoLogger(config.logLevel), { worker: number });
  const ports = { clock: systemClock, random: systemRandom, logger };
  joinPool((primary) => new WorkerService(number, config, ports, primary), logger);
} catch (error) {
  fail(error);
}
