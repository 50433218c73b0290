import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Test files share what they import: loading the project again for each of them would take longer than most tests.
    isolate: false,
    // One more than there are cores: tests of whole processes wait for much of their time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // What never ends is to be told, however slow the machine: a whole stack that starts takes ten times as long on a busy one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
