import { fileURLToPath } from 'node:url';
import { MEMORY_ENVIRONMENT, MEMORY_FLAGS } from '../src/supervisor/memory-flags.ts';
import { startServer, type ServerProcess } from './server-process.ts';

/**
 * The built program; without its supervisor, if not otherwise said: what is measured is the process that
 * serves.
 */
export interface Stack extends ServerProcess {
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
}

/** The path of a file of this folder. */
export const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The command line of the built program. */
export const MAIN = here('../dist/bundle/main.js');

/** Settings every run of the program has in the benchmark. */
export function stackEnv(folder: string): Record<string, string> {
  return {
    PORT: '0',
    LEDGER_RPC_PORT: '0',
    CONNECTIONS_PER_ADDRESS: '1024',
    ROLLUP_RPC_PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    CLUSTER: 'localnet',
  };
}

/**
 * Starts the built program on free ports with its ledger in a folder; alone, with the flags its supervisor
 * gives it.
 */
export async function startStack(
  folder: string,
  env: NodeJS.ProcessEnv = {},
  flags: readonly string[] = ['--no-supervisor'],
): Promise<Stack> {
  const isAlone = flags.includes('--no-supervisor');
  const server = await startServer([...(isAlone ? MEMORY_FLAGS : []), MAIN, ...flags], /Ready/, {
    ...(isAlone ? MEMORY_ENVIRONMENT : {}),
    ...stackEnv(folder),
    ...env,
  });
  return Object.assign(server, {
    serviceUrl: addressIn(server.output, 'Tool service').replace(/\/mcp$/, ''),
    ledgerUrl: addressIn(server.output, 'Ledger node'),
  });
}

/** The address that the banner has for a part of the program. */
export function addressIn(banner: string, part: string): string {
  const found = new RegExp(`${part} +(http://\\S+)`).exec(banner)?.[1];
  if (found === undefined) throw new Error(`the banner does not say where the ${part} is:\n${banner}`);
  return found;
}

/** The port a server of this folder says it is ready at. */
export function readyPort(server: ServerProcess): number {
  return Number(/ready (\d+)/.exec(server.output)?.[1]);
}

export const portOf = (url: string): number => Number(new URL(url).port);
