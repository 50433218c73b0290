import { test as base, type TestAPI } from 'vitest';
import type { Localnet } from '../localnet/localnet.ts';
import type { LocalnetOptions } from '../localnet/options.ts';
import { startLocalnet } from '../localnet/start-localnet.ts';

/** What a test asks for by name. */
export interface LocalnetFixtures {
  /** A localnet as it was when it started, whatever the tests before did to it. */
  readonly localnet: Localnet;
}

/** Besides, what lives as long as the file. */
interface FileFixtures {
  readonly $startedLocalnet: Localnet;
}

/**
 * Vitest's `test` with a `localnet`: the first test of a file that asks for it starts it, each test finds it
 * reset, and it ends with the file. Tests that run at the same time would reset it under each other: let
 * those of one file run one after the other, as they do by default.
 *
 * @param options how it is started; with a `dataDir` it could not be reset.
 */
export function localnetTest(
  options: Omit<LocalnetOptions, 'dataDir'> = {},
): TestAPI<LocalnetFixtures & FileFixtures> {
  return base.extend<LocalnetFixtures & FileFixtures>({
    $startedLocalnet: [
      // Vitest reads from the pattern which fixtures one needs.
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

/** {@link localnetTest} with a localnet of layout A on the machine's time. */
export const test = localnetTest();
