import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { areLibrariesInstalled, LIBRARIES_FOLDER } from './test/clients/installed.ts';
import { IS_LONG } from './test/length.ts';
import { LONGEST, LongestFirst } from './test/longest-first.ts';
import { quickImports } from './test/quick-imports.ts';

/** Tests of parts in this process that take long enough to be waited for. */
const LONG_UNITS = LONGEST.filter((file) => file.startsWith('src/'));

/** What each of `npm test`, `npm run test:unit` and `npm run test:e2e` runs; they give the mode. */
const PARTS: Readonly<
  Record<string, { readonly include: readonly string[]; readonly exclude: readonly string[] }>
> = {
  // What is known soonest.
  unit: { include: ['{src,console}/**/*.test.{ts,tsx}'], exclude: LONG_UNITS },
  // Everything else, whole processes above all.
  e2e: { include: ['test/**/*.test.ts', ...LONG_UNITS], exclude: [] },
};
/** All of them in one go: what they import is transformed and loaded once for both. */
const WHOLE = { include: ['{src,test,console}/**/*.test.{ts,tsx}'], exclude: [] };

export default defineConfig(({ mode }) => {
  const { include, exclude } = PARTS[mode] ?? WHOLE;
  return {
    plugins: [quickImports],
    test: {
      include: [...include],
      exclude: [
        ...configDefaults.exclude,
        ...exclude,
        // test/clients/libraries.test.ts is skipped in their stead, and says what to run.
        ...(areLibrariesInstalled ? [] : [`${LIBRARIES_FOLDER}/**`]),
      ],
      setupFiles: ['test/after-each-file.ts'],
      // Test files share what they import: loading the project again for each of them would take longer than most tests.
      isolate: false,
      // Kept for the next run, and for the other Nodes in CI.
      experimental: { fsModuleCache: true },
      // More than there are cores: tests of whole processes wait for more than half of their time.
      maxWorkers: availableParallelism() + 2,
      sequence: { sequencer: LongestFirst },
      // What never ends is to be told, however slow the machine: a whole stack that starts takes ten times as long on a busy one.
      testTimeout: IS_LONG ? 3_600_000 : 300_000,
      hookTimeout: 300_000,
    },
  };
});
