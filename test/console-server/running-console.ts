import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type App, startApp, type StartOptions } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { shellFolder } from '../../src/console/testing/shell-folder.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { systemRandom } from '../../src/ports/random.ts';
import type { Ports } from '../../src/stack/node.ts';

/** Starts a whole stack in this process, on free loopback ports and in a new folder. Ends with the test. */
export async function startConsole(
  settings: Record<string, string> = {},
  options: Partial<StartOptions> = {},
  ports: Partial<Ports> = {},
): Promise<App> {
  const folder = await mkdtemp(join(tmpdir(), 'console-app-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const free = { PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
  const config = readConfig({ ...free, DATA_DIR: folder, ...settings });
  const app = await startApp(
    config,
    { clock: systemClock, random: systemRandom, logger: silentLogger, ...ports },
    { reset: false, consoleFolder: shellFolder(), ...options },
  );
  onTestFinished(() => app.close());
  return app;
}
