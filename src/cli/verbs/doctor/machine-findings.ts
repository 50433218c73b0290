import { accessSync, constants, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { VARIABLES } from '../../../config/config.ts';
import { assertEngineLoads } from '../../../stack/native-engine.ts';
import type { Finding } from './finding.ts';
import { ledgerFolderOf } from './ledger-folder.ts';

/** The oldest Node that the package runs with (`engines` of package.json). */
const NODE_LEAST = [20, 18] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** What a ledger of one's own needs of this machine. */
export async function findingsOfMachine(env: Environment): Promise<Finding[]> {
  return [findNode(process.versions.node), await findEngine(), findFolder(env), ...(await findPorts(env))];
}

/** @param version as `process.versions.node` has it. */
export function findNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > NODE_LEAST[0] || (major === NODE_LEAST[0] && minor >= NODE_LEAST[1]);
  const finding = { what: 'Node', found: version };
  return isNew
    ? { level: 'ok', ...finding }
    : { level: 'fault', ...finding, mend: `Install Node ${NODE_LEAST.join('.')} or newer.` };
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
      mend: 'Install again with npm ci, without --omit=optional, on this very platform.',
    };
  }
}

function findFolder(env: Environment): Finding {
  const folder = ledgerFolderOf(env);
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK);
    return { level: 'ok', what: 'ledger folder', found: folder };
  } catch {
    return {
      level: 'fault',
      what: 'ledger folder',
      found: `${nearest} cannot be written to`,
      mend: 'Name another one with --ledger DIR (DATA_DIR), or start with --temp.',
    };
  }
}

/** Ports that are taken: by the stack that runs, or by somebody else, which what answers there tells. */
async function findPorts(env: Environment): Promise<Finding[]> {
  const { port, ledgerRpcPort, rollupRpcPort } = VARIABLES;
  return await Promise.all(
    [port, ledgerRpcPort, rollupRpcPort].map(async ({ name, default: usual }) => {
      const chosen = Number(env[name]?.trim() || usual);
      const isFree = await canListen(chosen);
      const found = chosen === 0 ? 'the system chooses' : `${chosen} is ${isFree ? 'free' : 'in use'}`;
      return { level: 'ok' as const, what: `port ${name}`, found };
    }),
  );
}

function canListen(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, VARIABLES.host.default, () => server.close(() => done(true)));
  });
}
