import { resolve } from 'node:path';
import { type Config, readConfig, VARIABLES } from '../config/config.ts';
import type { Variable } from '../config/variable.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ListenPorts } from '../supervisor/life.ts';
import type { Arguments } from './arguments.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE_BY_NAME = new Map<string, Variable<unknown>>(
  Object.values<Variable<unknown>>(VARIABLES).map((variable) => [variable.name, variable]),
);

/** The ports that `--temp` chooses. */
const FREE_PORTS = ['PORT', 'LEDGER_RPC_PORT', 'ROLLUP_RPC_PORT'] as const;

/**
 * Merges the environment, the flags, and the ports of the previous process. Later sources override earlier
 * ones. With `--temp`, unset ports become free ports.
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
 * @throws {ServiceError} CONFIG_INVALID with the name of an invalid flag; the errors of {@link readConfig}.
 */
export function readSettings(env: Environment, args: Arguments, ports: ListenPorts | null): Config {
  refuseBadFlags(args);
  const merged = applyFlags(env, args, ports);
  refuseLedgerOfFront(merged, args);
  const config = readConfig(merged);
  refuseProgramsAtOdds(config, args);
  return config;
}

/** Rejects invalid flags, so that errors name the typed flag and not the variable that it overrides. */
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

function refuseLedgerOfFront(env: Environment, { ledgerFlags }: Arguments): void {
  if ((env['LEDGER_UPSTREAM_URL'] ?? '').trim() === '' || ledgerFlags.length === 0) return;
  throw new ServiceError(
    'CONFIG_INVALID',
    `${ledgerFlags.join(', ')} cannot be used with LEDGER_UPSTREAM_URL, because the node then runs no ledger: remove one of them`,
  );
}

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
      '--no-genesis-programs cannot be used with --programs (LOCALNET_PROGRAMS): remove one of them',
    );
  }
}

/** Returns the folder where `start` stores its ledger, as an absolute path. */
export function ledgerFolderOf(env: Readonly<Record<string, string | undefined>>): string {
  const { name, default: usual } = VARIABLES.dataDir;
  return resolve(env[name]?.trim() || usual);
}
