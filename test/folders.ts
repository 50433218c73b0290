import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Delay before a removal is retried, in ms. A killed process may still write to its folder. */
const AGAIN_AFTER_MS = 100;
const AGAIN_MAX = 50;

/** Folders of the current test file. */
const ofFile: string[] = [];

/** Creates a folder that is removed after the test. `after` is vitest's onTestFinished. */
export async function temporaryFolder(after: (remove: () => Promise<void>) => void): Promise<string> {
  const folder = await newFolder();
  after(() => remove(folder));
  return folder;
}

/** Creates a folder that is removed after the test file, for use in `beforeAll`, which ignores `afterAll`. */
export async function folderOfFile(): Promise<string> {
  const folder = await newFolder();
  ofFile.push(folder);
  return folder;
}

/** Removes the folders of the test file after everything else has ended. */
export const removeFoldersOfFile = async (): Promise<void> => {
  await Promise.all(ofFile.splice(0).map(remove));
};

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'spl-test-'));

const remove = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: AGAIN_MAX, retryDelay: AGAIN_AFTER_MS });
