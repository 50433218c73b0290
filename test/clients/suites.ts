import { spawnSync } from 'node:child_process';
import { areLibrariesInstalled, INSTALL_COMMAND, LIBRARIES_FOLDER } from './installed.ts';

/**
 * Runs the tests of all client libraries against the ledger node, and the golden tests of Agave's responses.
 * The libraries must be installed.
 */
const SUITES = [
  'test/clients',
  'src/rpc/golden-answers.test.ts',
  'src/rpc/kit.test.ts',
  'src/rpc/real-ledger.test.ts',
];

if (!areLibrariesInstalled) {
  console.error(`The client libraries are not installed. Run this first:\n\n  ${INSTALL_COMMAND}\n`);
  process.exit(1);
}
for (const [program, ...args] of [
  ['tsc', '-p', LIBRARIES_FOLDER],
  ['vitest', 'run', ...SUITES],
] as const) {
  const { status } = spawnSync('npx', ['--no-install', program, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
