import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { CLUSTER_ROWS } from '../../../chain/cluster-settings.ts';
import { type Config, exposureWarnings, readConfig, VARIABLES } from '../../../config/config.ts';
import { RPC_URL_KEYS } from '../../../config/cluster-variables.ts';
import { isLoopback } from '../../../config/exposure.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { assertEngineLoads } from '../../../ledger/engine/native-package.ts';
import {
  type DumpFolders,
  DUMPS_PACKAGE,
  findDump,
  findDumpFolders,
  findRegistry,
  specifierOf,
  tarballUrl,
} from '../../../ledger/genesis/dumps.ts';
import { systemClock } from '../../../ports/clock.ts';
import { silentLogger } from '../../../ports/logger.ts';
import { systemRandom } from '../../../ports/random.ts';
import { LocalnetPrograms } from '../../../stack/localnet-programs.ts';
import { assertSettings } from '../../../stack/operations.ts';
import { type Environment, ledgerFolderOf } from '../../settings.ts';

/** The minimum Node version (`engines` of package.json). */
const NODE_LEAST = [20, 18] as const;

/**
 * Checks the requirements of an embedded ledger.
 *
 * @param checked the cluster whose nodes are checked.
 */
export async function findingsOfMachine(env: Environment, checked: string): Promise<Finding[]> {
  return [
    findNode(process.versions.node),
    await findEngine(),
    ...findSettings(env, checked),
    ...findFolder(env),
    ...(await findPorts(env)),
  ];
}

function findSettings(env: Environment, checked: string): Finding[] {
  const what = 'settings';
  try {
    const config = readConfig(env);
    assertSettings(config);
    const warnings = [
      ...exposureWarnings(config),
      ...plainUrls(config),
      ...uncheckedCluster(config, checked),
    ];
    if (warnings.length > 0) return warnings.map((found) => ({ level: 'hint', what, found }));
    return [{ level: 'ok', what, found: 'are valid' }];
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return error.message.split('\n').map((found) => ({ level: 'fault', what, found }));
  }
}

/** Returns a sentence if the service uses a network by default but localnet's nodes are checked. */
function uncheckedCluster({ cluster }: Config, checked: string): string[] {
  if (checked !== 'localnet' || !CLUSTER_ROWS.some(({ name }) => name === cluster)) return [];
  return [
    `The service uses ${cluster} by default, but only localnet was checked: run "spp doctor --url ${cluster}".`,
  ];
}

/** Returns a sentence for each upstream on another machine without TLS. */
function plainUrls(config: Config): string[] {
  return RPC_URL_KEYS.flatMap((key) => {
    const isPlain = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && !isLoopback(hostname);
    const host = config[key].reveal().find(isPlain)?.host;
    return host === undefined
      ? []
      : [`${VARIABLES[key].name} reaches ${host} without TLS: use an https URL.`];
  });
}

/** @param version in the format of `process.versions.node`. */
export function findNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > NODE_LEAST[0] || (major === NODE_LEAST[0] && minor >= NODE_LEAST[1]);
  const finding = { what: 'Node', found: version };
  return isNew
    ? { level: 'ok', ...finding }
    : { level: 'fault', ...finding, fix: `Install Node ${NODE_LEAST.join('.')} or newer.` };
}

async function findEngine(): Promise<Finding> {
  const what = 'virtual machine';
  try {
    await assertEngineLoads();
    return { level: 'ok', what, found: `loads on ${process.platform} ${process.arch}` };
  } catch (error) {
    return {
      level: 'fault',
      what,
      found: error instanceof Error ? error.message : String(error),
      fix: 'Install again with npm ci on this platform, without --omit=optional.',
    };
  }
}

/** Minimum free disk space, in bytes (1 GiB). With less, a ledger may soon stop writing. */
const FREE_BYTES_LEAST = 2 ** 30;

function findFolder(env: Environment): Finding[] {
  const folder = ledgerFolderOf(env);
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    if (!statSync(nearest).isDirectory()) throw new Error(`${nearest} is not a folder`);
    accessSync(nearest, constants.W_OK);
    const { bavail, bsize } = statfsSync(nearest);
    const found: Finding = { level: 'ok', what: 'ledger folder', found: folder };
    if (bavail * bsize >= FREE_BYTES_LEAST) return [found];
    const left = `its disk has ${Math.floor((bavail * bsize) / 2 ** 20)} MiB left`;
    return [found, { level: 'hint', what: 'disk', found: left, fix: 'Free some space, or move DATA_DIR.' }];
  } catch {
    return [
      {
        level: 'fault',
        what: 'ledger folder',
        found: `${nearest} cannot be written to`,
        fix: 'Choose another one with --ledger DIR (DATA_DIR), or start with --temp.',
      },
    ];
  }
}

/** Checks the ports. A port in use is fine if the running stack uses it. */
async function findPorts(env: Environment): Promise<Finding[]> {
  const { port, ledgerRpcPort, rollupRpcPort } = VARIABLES;
  return await Promise.all(
    [port, ledgerRpcPort, rollupRpcPort].map(async ({ name, default: usual }) => {
      const chosen = Number(env[name]?.trim() || usual);
      const what = `port ${name}`;
      if (chosen === 0) return { level: 'ok' as const, what, found: 'chosen by the system' };
      if (await canListen(chosen)) return { level: 'ok' as const, what, found: `${chosen} is free` };
      if (await isHealthy(chosen)) return { level: 'ok' as const, what, found: `${chosen} is in use` };
      const found = `another program uses ${chosen}`;
      return { level: 'hint' as const, what, found, fix: `Stop it, or choose another port with ${name}.` };
    }),
  );
}

/** Whether a listener of this program answers. The service and the nodes all return `ok` at `/health`. */
async function isHealthy(port: number): Promise<boolean> {
  try {
    const url = `http://${VARIABLES.host.default}:${port}/health`;
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(HEALTH_MS_MAX) });
    return response.ok && (await response.text()) === 'ok';
  } catch {
    return false;
  }
}

/** Timeout for a health check of a listener on this machine, in ms. */
const HEALTH_MS_MAX = 2_000;

function canListen(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, VARIABLES.host.default, () => server.close(() => done(true)));
  });
}

/** The result of one check. */
export interface Finding {
  /** `fault`: something cannot work. `hint`: it works but may be unexpected. */
  readonly level: 'ok' | 'hint' | 'fault';
  readonly what: string;
  readonly found: string;
  /** The fix; absent if nothing is wrong. */
  readonly fix?: string;
}

/** Timeout for the npm registry, in ms. */
const ANSWER_MS_MAX = 15_000;

/**
 * Checks the source of a new ledger's programs.
 *
 * @param folders folders on this machine that may contain the programs.
 */
export async function findPrograms(
  env: Environment,
  folders: DumpFolders = findDumpFolders({ ...env }),
): Promise<Finding> {
  const what = 'on-chain programs';
  const given = await findConfiguredPrograms(env);
  if (given !== null) return given;
  const files = [...DUMPS_PACKAGE.dumps.keys()];
  if (files.every((file) => findDump(file, folders) !== null)) {
    return { level: 'ok', what, found: 'are on this machine' };
  }
  const specifier = specifierOf(DUMPS_PACKAGE);
  try {
    const registry = await findRegistry({ ...env });
    if (await hasTarball(registry)) {
      return { level: 'ok', what, found: `will be fetched from ${registry.host} when a ledger is created` };
    }
    return {
      level: 'fault',
      what,
      found: `are not on this machine, and ${registry.host} does not return ${specifier}`,
      fix: `Run npm install ${specifier} next to this program, set npm_config_registry to another registry, copy ${folders.cache} from a machine that has it, or pass programs with --programs.`,
    };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { level: 'fault', what, found: error.message, fix: 'Correct or remove it.' };
  }
}

async function hasTarball(registry: URL): Promise<boolean> {
  const url = tarballUrl(registry, DUMPS_PACKAGE.name, DUMPS_PACKAGE.version);
  try {
    return (await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_MS_MAX) })).ok;
  } catch {
    // Any error means that the check is not available on this machine.
    return false;
  }
}

/** Tests the configured programs as `start` does, without storing anything; null if none are configured. */
async function findConfiguredPrograms(env: Environment): Promise<Finding | null> {
  const what = 'on-chain programs';
  const { name, parse } = VARIABLES.localnetPrograms;
  const text = (env[name] ?? '').trim();
  if (text === '') return null;
  try {
    const localnetPrograms = parse(text);
    const ports = { clock: systemClock, random: systemRandom, logger: silentLogger };
    await new LocalnetPrograms({ config: { localnetPrograms }, ports, isUpgrade: false }).ofNewLedger();
    return { level: 'ok', what, found: `from ${name}` };
  } catch (error) {
    // An invalid text is a RangeError.
    if (!isServiceError(error) && !(error instanceof RangeError)) throw error;
    const why = error instanceof RangeError ? `${name} ${error.message}` : error.message;
    return { level: 'fault', what, found: why, fix: `Correct or remove ${name}.` };
  }
}
