import { test as base, type TestAPI } from 'vitest';
import type { Localnet, LocalnetOptions } from '../localnet/localnet.ts';
import { startLocalnet } from '../localnet/start-localnet.ts';

/** The fixtures of a test. */
export interface LocalnetFixtures {
  /** A localnet in its initial state. */
  readonly localnet: Localnet;
}

interface FileFixtures {
  readonly $startedLocalnet: Localnet;
}

/**
 * Vitest's `test` with a `localnet` fixture. The localnet starts with the first test of a file that uses it,
 * is reset before each test, and closes with the file. The tests of one file must not run concurrently.
 *
 * @param options options for the localnet, without `dataDir`, which does not support resets.
 */
export function localnetTest(
  options: Omit<LocalnetOptions, 'dataDir'> = {},
): TestAPI<LocalnetFixtures & FileFixtures> {
  return base.extend<LocalnetFixtures & FileFixtures>({
    $startedLocalnet: [
      // Vitest reads the required fixtures from the pattern.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        await using localnet = await startLocalnet(options);
        await use(localnet);
      },
      { scope: 'file' },
    ],
    localnet: async ({ $startedLocalnet }, use) => {
      await $startedLocalnet.reset();
      await use($startedLocalnet);
    },
  });
}

/** {@link localnetTest} with a layout A localnet and the system time. */
export const test = localnetTest();
