import { readConfig, VARIABLES, type Config } from '../config/config.ts';
import type { Variable } from '../config/variable.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ListenPorts } from '../supervisor/messages.ts';
import type { Arguments } from './arguments.ts';

/** Variables by name, as the process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE_BY_NAME = new Map<string, Variable<unknown>>(
  Object.values<Variable<unknown>>(VARIABLES).map((variable) => [variable.name, variable]),
);

/** With these every port is a free one. */
const FREE_PORTS = ['PORT', 'LEDGER_RPC_PORT', 'ROLLUP_RPC_PORT'] as const;

/**
 * The variables the program runs with: those of the environment, flags over them, and over both the ports of
 * the process before, which stand for what was chosen where the setting is 0. With `--temp` ports that nobody
 * set are free ones: what is thrown away shall not be in the way of what is kept.
 */
export function applyFlags(
  env: Environment,
  { settings, temp }: Arguments,
  ports: ListenPorts | null,
): Environment {
  const flags = settings.map(({ variable, text }) => [variable, text]);
  const chosen = Object.entries(ports ?? {}).map(([variable, port]) => [variable, String(port)]);
  const free = temp ? FREE_PORTS.filter((name) => (env[name] ?? '').trim() === '') : [];
  const defaults = free.map((variable) => [variable, '0']);
  return { ...env, ...Object.fromEntries([...defaults, ...flags, ...chosen]) };
}

/**
 * Reads the settings.
 *
 * @throws {ServiceError} CONFIG_INVALID naming the flag where the fault is in one, else what {@link
 *   readConfig} throws.
 */
export function readSettings(env: Environment, args: Arguments, ports: ListenPorts | null): Config {
  refuseBadFlags(args);
  const merged = applyFlags(env, args, ports);
  refuseLedgerOfFront(merged, args);
  const config = readConfig(merged);
  refuseProgramsAtOdds(config, args);
  return config;
}

/** What is wrong is told of the flag that was typed, not of the variable that it overrides. */
function refuseBadFlags({ settings }: Arguments): void {
  const faults: string[] = [];
  for (const { flag, variable, text } of settings) {
    try {
      VARIABLE_BY_NAME.get(variable)?.parse(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const shown =
        VARIABLE_BY_NAME.get(variable)?.isSecret === true ? '' : ` (it is ${JSON.stringify(text)})`;
      faults.push(`${flag} ${error.message}${shown}`);
    }
  }
  if (faults.length > 0) throw new ServiceError('CONFIG_INVALID', faults.join('\n'));
}

/** A node that forwards to another one holds nothing itself. */
function refuseLedgerOfFront(env: Environment, { ledgerFlags }: Arguments): void {
  if ((env['LEDGER_UPSTREAM_URL'] ?? '').trim() === '' || ledgerFlags.length === 0) return;
  throw new ServiceError(
    'CONFIG_INVALID',
    `${ledgerFlags.join(', ')} cannot be had together with LEDGER_UPSTREAM_URL: the node then forwards to another one and has no ledger of its own`,
  );
}

/** Flags that say something about programs that are not given, or that they are not wanted. */
function refuseProgramsAtOdds({ localnetPrograms }: Config, { provision }: Arguments): void {
  if (provision.upgradePrograms && localnetPrograms === null) {
    throw new ServiceError(
      'CONFIG_INVALID',
      '--upgrade-programs needs --programs (LOCALNET_PROGRAMS), the programs to deploy',
    );
  }
  if (!provision.genesisPrograms && localnetPrograms !== null) {
    throw new ServiceError(
      'CONFIG_INVALID',
      '--no-genesis-programs cannot be had together with --programs (LOCALNET_PROGRAMS): leave one of them out',
    );
  }
}
