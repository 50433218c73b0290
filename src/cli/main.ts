#!/usr/bin/env node
/** The command line. Other modules are imported on use, so that the supervisor does not load the stack. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../ports/clock.ts';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import type { StartDefaults } from '../supervisor/life.ts';
import {
  nameScratchFolder,
  onStopSignals,
  throwAwayAtExit,
  watchParent,
} from '../supervisor/stop-signals.ts';
import { type Ending, Supervision } from '../supervisor/supervision.ts';
import { type Arguments, readArguments } from './arguments.ts';
import { readEnvFile } from './env-file.ts';
import { fail, failOnUncaught } from './fail.ts';
import { SERVING } from './verbs/verb-table.ts';

async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  const [verb = '', ...rest] = argv;
  if (isOfVerbs(verb)) return await runOneVerb(verb, rest);
  const args = readArguments(argv);
  if (args.help) {
    const { formatHelp } = await import('./help.ts');
    process.stdout.write(formatHelp());
  } else if (args.version) {
    process.stdout.write(`${packageVersion()}\n`);
  } else if (args.printConfig) {
    const { formatConfig } = await import('./print-config.ts');
    process.stdout.write(formatConfig({ ...readEnvFile(), ...process.env }, args));
  } else if (args.supervisor) {
    await runSupervised(argv, args.command);
  } else {
    const [{ runStack }, { standAlone }] = await Promise.all([
      import('./run-stack.ts'),
      import('../supervisor/host.ts'),
    ]);
    process.title = TITLE;
    await runStack(args, standAlone(startDefaults()));
  }
}

/** Whether the first word is a verb or a misspelled verb. */
const isOfVerbs = (word: string): boolean =>
  word !== '' && !word.startsWith('-') && !SERVING.includes(word as (typeof SERVING)[number]);

async function runOneVerb(name: string, args: readonly string[]): Promise<void> {
  const [{ runVerb }, { systemTerminal }] = await Promise.all([
    import('./verbs/run-verb.ts'),
    import('./verbs/terminal.ts'),
  ]);
  process.exitCode = await runVerb(name, args, systemTerminal());
}

/** Process title. It hides the arguments from process lists, because some are secrets. */
const TITLE = 'spl-private-payments';

async function runSupervised(args: readonly string[], command: Arguments['command']): Promise<void> {
  const own = fileURLToPath(import.meta.url);
  const entry = fileURLToPath(new URL(`child${extname(own)}`, import.meta.url));
  const defaults = startDefaults();
  // Over stdio, there is one client and no port to share.
  const count = command === 'mcp' ? 1 : workersOf({ ...defaults.settings, ...process.env });
  const supervision = new Supervision({ entry, args, defaults, count, clock: systemClock });
  const handlers = { first: () => supervision.stop(), again: () => supervision.kill() };
  onStopSignals(handlers, systemClock);
  watchParent(handlers);
  process.title = TITLE;
  const ending = await supervision.ended;
  if (ending.gaveUp !== undefined) process.stderr.write(reportGiveUp(ending.gaveUp));
  if (ending.overdueMs !== undefined) process.stderr.write(describeOverdue(ending));
  // The terminal or a client may keep the input open.
  process.exit(ending.exitCode);
}

/** Returns the number of processes. Invalid values are reported when the settings are read. */
function workersOf({ WORKERS: text = '' }: NodeJS.ProcessEnv): number {
  return /^ *[1-9]\d? *$/.test(text) ? Number(text) : 1;
}

/**
 * Returns the options of every start. The scratch folder is deleted when this process exits.
 */
function startDefaults(): StartDefaults {
  const scratchFolder = nameScratchFolder();
  throwAwayAtExit(scratchFolder);
  return { settings: readEnvFile(), scratchFolder };
}

function describeOverdue({ overdueMs = 0, exitCode }: Ending): string {
  return [
    `Killed: it did not stop within ${overdueMs / 1_000} s.`,
    `Acknowledged transactions are stored. (exit code ${exitCode})`,
    '',
  ].join('\n');
}

function reportGiveUp({ deaths, lastDeath }: NonNullable<Ending['gaveUp']>): string {
  return [
    `Gave up: it crashed ${deaths} times in a row before it was ready. Last cause: ${lastDeath}.`,
    'If it crashed while loading the ledger, the engine may not support an account or program in the ledger folder.',
    'Move the folder away, choose another with --ledger DIR, or create a new ledger with --reset.',
    'If it was killed by SIGKILL, the system may be out of memory.',
    `(exit code ${EXIT_CODES.gaveUp})`,
    '',
  ].join('\n');
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

failOnUncaught();
await main().catch(fail);
