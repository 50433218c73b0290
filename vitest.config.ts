import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { areLibrariesInstalled, LIBRARIES_FOLDER } from './test/clients/installed.ts';
import { LONGEST, LongestFirst } from './test/longest-first.ts';

/** Tests of parts in this process that take long enough to be waited for. */
const LONG_UNITS = LONGEST.filter((file) => file.startsWith('src/'));

export default defineConfig({
  test: {
    projects: [
      // What is known soonest: `npm run test:unit`.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...LONG_UNITS],
        },
      },
      // Everything else, whole processes above all: `npm run test:e2e`.
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/**/*.test.ts', ...LONG_UNITS],
          // test/clients/libraries.test.ts is skipped in their stead, and says what to run.
          exclude: [...configDefaults.exclude, ...(areLibrariesInstalled ? [] : [`${LIBRARIES_FOLDER}/**`])],
        },
      },
    ],
    // Test files share what they import: loading the project again for each of them would take longer than most tests.
    isolate: false,
    // One more than there are cores: tests of whole processes wait for much of their time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // What never ends is to be told, however slow the machine: a whole stack that starts takes ten times as long on a busy one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
