import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { areLibrariesInstalled, LIBRARIES_FOLDER } from './test/clients/installed.ts';
import { LongestFirst } from './test/longest-first.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // test/clients/libraries.test.ts is skipped in their stead, and says what to run.
    exclude: [...configDefaults.exclude, ...(areLibrariesInstalled ? [] : [`${LIBRARIES_FOLDER}/**`])],
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
