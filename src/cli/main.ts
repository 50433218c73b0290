#!/usr/bin/env node
/**
 * The command line. Under a supervisor, which is the rule, this process loads nothing of the stack: what it
 * needs besides is imported where it is needed.
 */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../ports/clock.ts';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import type { StartDefaults } from '../supervisor/messages.ts';
import { watchParent } from '../supervisor/parent-watch.ts';
import { nameScratchFolder, throwAwayAtExit } from '../supervisor/scratch-folder.ts';
import { onStopSignals } from '../supervisor/stop-signals.ts';
import { Supervision, type Ending } from '../supervisor/supervision.ts';
import { readArguments, type Arguments } from './arguments.ts';
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

/** Whether the first word is a verb or a slip of one, and not what begins a start. */
const isOfVerbs = (word: string): boolean =>
  word !== '' && !word.startsWith('-') && !SERVING.includes(word as (typeof SERVING)[number]);

/** A verb loads what it needs, and nothing of the stack. */
async function runOneVerb(name: string, args: readonly string[]): Promise<void> {
  const [{ runVerb }, { systemTerminal }] = await Promise.all([
    import('./verbs/run-verb.ts'),
    import('./verbs/system-terminal.ts'),
  ]);
  process.exitCode = await runVerb(name, args, systemTerminal());
}

/** Takes the place of the arguments in lists of processes, some of which are secrets. */
const TITLE = 'spl-private-payments';

async function runSupervised(args: readonly string[], command: Arguments['command']): Promise<void> {
  const own = fileURLToPath(import.meta.url);
  const entry = fileURLToPath(new URL(`child${extname(own)}`, import.meta.url));
  const defaults = startDefaults();
  // Over stdio there is one client, and no port to share.
  const count = command === 'mcp' ? 1 : workersOf({ ...defaults.settings, ...process.env });
  const supervision = new Supervision({ entry, args, defaults, count, clock: systemClock });
  const handlers = { first: () => supervision.stop(), again: () => supervision.kill() };
  onStopSignals(handlers, systemClock);
  watchParent(handlers);
  process.title = TITLE;
  const ending = await supervision.ended;
  if (ending.gaveUp !== undefined) process.stderr.write(reportGiveUp(ending.gaveUp));
  if (ending.overdueMs !== undefined) process.stderr.write(sayOverdue(ending));
  // At once: the terminal or a client may keep the input open.
  process.exit(ending.exitCode);
}

/** How many processes serve. What is no such number is told where the settings are read. */
function workersOf({ WORKERS: text = '' }: NodeJS.ProcessEnv): number {
  return /^ *[1-9]\d? *$/.test(text) ? Number(text) : 1;
}

/** What every start is told. The scratch folder goes with this process, which outlives them. */
function startDefaults(): StartDefaults {
  const scratchFolder = nameScratchFolder();
  throwAwayAtExit(scratchFolder);
  return { settings: readEnvFile(), scratchFolder };
}

function sayOverdue({ overdueMs = 0, exitCode }: Ending): string {
  return [
    `Killed: ${overdueMs / 1_000} s after it was told to stop it was still busy, and could not be asked any more.`,
    `What was acknowledged is kept. (exit code ${exitCode})`,
    '',
  ].join('\n');
}

function reportGiveUp({ deaths, lastDeath }: NonNullable<Ending['gaveUp']>): string {
  return [
    `Given up: it died ${deaths} times in a row before it was ready, the last time by ${lastDeath}.`,
    'If it died while loading the ledger, an account or program in the ledger folder may be what the engine cannot',
    'take. Move the folder away or choose another with --ledger DIR, or start with --reset to begin a new ledger there.',
    'If it died by SIGKILL, the system may be out of memory.',
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
