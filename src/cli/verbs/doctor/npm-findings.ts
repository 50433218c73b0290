import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isServiceError } from '../../../errors/service-error.ts';
import { DUMPS_PACKAGE, specifierOf } from '../../../ledger/genesis/dumps-package.ts';
import { type DumpFolders, findDump, findDumpFolders } from '../../../ledger/genesis/local-dumps.ts';
import { readRegistry, tarballUrl } from '../../../ledger/genesis/obtain-dumps.ts';
import type { Finding } from './finding.ts';
import { findGivenPrograms } from './given-programs.ts';

/** How long npm and its registry may take to answer, ms. */
const ANSWER_MS_MAX = 15_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** npm, and what the program itself takes from its registry. */
export async function findingsOfNpm(env: Environment): Promise<Finding[]> {
  return await Promise.all([findNpm(env), findPrograms(env)]);
}

/** Only installing needs it: the program fetches by itself. */
export async function findNpm(env: Environment): Promise<Finding> {
  const what = 'npm';
  try {
    // npm is a script of the shell on Windows.
    const options = { env: { ...env }, timeout: ANSWER_MS_MAX, shell: process.platform === 'win32' };
    const { stdout } = await promisify(execFile)('npm', ['--version'], options);
    return { level: 'ok', what, found: stdout.trim() };
  } catch {
    const mend = 'It comes with Node, and is needed to install this program or a new version of it.';
    return { level: 'hint', what, found: 'is not on the PATH', mend };
  }
}

/**
 * Where a new ledger gets its programs from.
 *
 * @param folders where they may be on this machine.
 */
export async function findPrograms(
  env: Environment,
  folders: DumpFolders = findDumpFolders({ ...env }),
): Promise<Finding> {
  const what = 'on-chain programs';
  const given = await findGivenPrograms(env);
  if (given !== null) return given;
  const files = [...DUMPS_PACKAGE.dumps.keys()];
  if (files.every((file) => findDump(file, folders) !== null)) {
    return { level: 'ok', what, found: 'are on this machine' };
  }
  const specifier = specifierOf(DUMPS_PACKAGE);
  try {
    const registry = readRegistry({ ...env });
    if (await hasTarball(registry)) {
      return { level: 'ok', what, found: `will be fetched from ${registry.host} when a ledger begins` };
    }
    return {
      level: 'fault',
      what,
      found: `are not on this machine, and ${registry.host} does not answer with ${specifier}`,
      mend: `Run npm install ${specifier} beside this program, name another registry in npm_config_registry, copy ${folders.cache} from a machine that has it, or name programs with --programs.`,
    };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { level: 'fault', what, found: error.message, mend: 'Set it right, or leave it out.' };
  }
}

async function hasTarball(registry: URL): Promise<boolean> {
  const url = tarballUrl(registry, DUMPS_PACKAGE.name, DUMPS_PACKAGE.version);
  try {
    return (await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_MS_MAX) })).ok;
  } catch {
    // Any error means the same: it cannot be had from there.
    return false;
  }
}
