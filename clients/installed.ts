import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder with the stock clients and their package.json. */
export const CLIENTS_FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The command that installs them. None needs its install scripts. */
export const INSTALL_COMMAND = 'npm ci --ignore-scripts --prefix clients';

/** Returns whether every client is installed in the version that package.json names. */
export function areClientsInstalled(): boolean {
  const { dependencies } = readManifest('package.json') as { dependencies: Record<string, string> };
  return Object.entries(dependencies).every(
    ([name, version]) => readManifest(`node_modules/${name}/package.json`)?.version === version,
  );
}

function readManifest(path: string): { readonly version?: string } | undefined {
  const file = `${CLIENTS_FOLDER}${path}`;
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
