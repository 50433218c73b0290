import { ServiceError } from '../errors/service-error.ts';

/** Platforms that litesvm has a binary for, by Node's names; on Linux each with glibc and with musl. */
const PLATFORMS: ReadonlyMap<string, string> = new Map([
  ['linux x64', 'Linux x64'],
  ['linux arm64', 'Linux arm64'],
  ['darwin x64', 'macOS x64'],
  ['darwin arm64', 'macOS arm64'],
]);

/** What {@link assertEngineLoads} looks at. */
export interface NativeEngineOptions {
  /** Loads the package, and its binary with it. */
  readonly load?: () => Promise<unknown>;
  /** `process.platform` and `process.arch`, with a blank between them. */
  readonly platform?: string;
}

/**
 * Checks that the virtual machine can be had before anything is loaded that cannot do without it: the package itself
 * tells to delete the lock file, whatever is wrong.
 *
 * @throws {ServiceError} ENGINE_UNAVAILABLE.
 */
export async function assertEngineLoads({
  load = () => import('litesvm/dist/internal.js'),
  platform = `${process.platform} ${process.arch}`,
}: NativeEngineOptions = {}): Promise<void> {
  try {
    await load();
  } catch (cause) {
    const message = PLATFORMS.has(platform)
      ? `The binary of the npm package litesvm for ${platform} is not installed or does not load: run npm ci in the project's folder, without --omit=optional`
      : `There is none for ${platform}: run it on ${[...PLATFORMS.values()].join(', ')}, or in a container or WSL on one of them`;
    throw new ServiceError('ENGINE_UNAVAILABLE', message, { platform }, { cause });
  }
}
