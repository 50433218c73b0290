#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { startApp, type App } from '../app.ts';
import { readConfig } from '../config/config.ts';
import { isServiceError } from '../errors/service-error.ts';
import { systemClock } from '../ports/clock.ts';
import { createPinoLogger } from '../ports/pino-logger.ts';
import type { Logger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { HELP, readArguments } from './arguments.ts';
import { formatBanner } from './banner.ts';

/** Exit codes: sysexits.h EX_CONFIG, and 128 + SIGINT for a second signal. */
const EXIT_CONFIG = 78;
const EXIT_INTERRUPTED = 130;

async function main(): Promise<void> {
  const args = readArguments(process.argv.slice(2));
  if (args.help) {
    process.stdout.write(HELP);
    return;
  }
  if (args.version) {
    process.stdout.write(`${packageVersion()}\n`);
    return;
  }
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const logger = createPinoLogger(config.logLevel);
  const ports = { clock: systemClock, random: systemRandom, logger };
  // Over stdio, stdout belongs to the protocol: nothing else is written to it.
  const stdio = args.command === 'mcp' ? { input: process.stdin, output: process.stdout } : undefined;
  const options = { reset: args.reset, ...(stdio === undefined ? {} : { stdio }) };
  const app = await startApp(config, ports, options);
  const stop = createStop(app);
  stopOnSignals(stop, logger);
  if (stdio === undefined) process.stdout.write(formatBanner(config, app));
  else stopAtEnd(stdio.input, stop);
}

/** What ends the process, however often it is asked to: everything that was asked is answered first. */
function createStop(app: App): () => void {
  let isStopping = false;
  return () => {
    if (isStopping) return;
    isStopping = true;
    app.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
}

function stopOnSignals(stop: () => void, logger: Logger): void {
  let isSignalled = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal means that somebody does not want to wait for the drain.
      if (isSignalled) process.exit(EXIT_INTERRUPTED);
      isSignalled = true;
      logger.info({ signal }, 'draining');
      stop();
    });
  }
}

/** Stops once the client has closed the input, which is how it ends a server that it launched. */
function stopAtEnd(input: NodeJS.ReadStream, stop: () => void): void {
  if (input.readableEnded || input.destroyed) stop();
  for (const event of ['end', 'close']) input.once(event, stop);
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Ends the process: what the user can mend is told plainly, anything else is a bug and is told with its stack. */
function fail(error: unknown): never {
  if (isServiceError(error)) {
    process.stderr.write(`${error.title}:\n${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}

process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
await main().catch(fail);
