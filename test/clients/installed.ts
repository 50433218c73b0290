import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Where the flows of client libraries lie that have a package of their own, out of the project's own install.
 */
export const LIBRARIES_FOLDER = 'test/clients/libraries';

/** What installs them. None of them needs its install script. */
export const INSTALL_COMMAND = `npm ci --ignore-scripts --prefix ${LIBRARIES_FOLDER}`;

/** Whether they are installed. npm writes this file when it is through. */
export const areLibrariesInstalled = existsSync(
  fileURLToPath(new URL('libraries/node_modules/.package-lock.json', import.meta.url)),
);
