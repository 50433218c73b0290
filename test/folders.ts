import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A process that was killed may still be writing to its folder, ms. */
const AGAIN_AFTER_MS = 100;
const AGAIN_MAX = 50;

/** Those of the test file that runs. */
const ofFile: string[] = [];

/** A folder that goes away with the test: `after` is vitest's onTestFinished. */
export async function temporaryFolder(after: (remove: () => Promise<void>) => void): Promise<string> {
  const folder = await newFolder();
  after(() => remove(folder));
  return folder;
}

/**
 * A folder that goes away with the test file, for its hooks: in `beforeAll` an `afterAll` is heard by nobody.
 */
export async function folderOfFile(): Promise<string> {
  const folder = await newFolder();
  ofFile.push(folder);
  return folder;
}

/** Removes those of the test file, once all else of it has ended. */
export const removeFoldersOfFile = async (): Promise<void> => {
  await Promise.all(ofFile.splice(0).map(remove));
};

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'spl-test-'));

const remove = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: AGAIN_MAX, retryDelay: AGAIN_AFTER_MS });
