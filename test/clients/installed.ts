import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder of the client library tests that have their own package.json. */
export const LIBRARIES_FOLDER = 'test/clients/libraries';

/** The command that installs them. None needs its install scripts. */
export const INSTALL_COMMAND = `npm ci --ignore-scripts --prefix ${LIBRARIES_FOLDER}`;

/** Whether they are installed. npm writes this file last. */
export const areLibrariesInstalled = existsSync(
  fileURLToPath(new URL('libraries/node_modules/.package-lock.json', import.meta.url)),
);
