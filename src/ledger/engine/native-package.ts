import { ServiceError } from '../../errors/service-error.ts';

/** Platforms with a binary of litesvm, by Node's names. Linux has one binary each for glibc and musl. */
export const NATIVE_PLATFORMS: ReadonlyMap<string, string> = new Map([
  ['linux x64', 'Linux x64'],
  ['linux arm64', 'Linux arm64'],
  ['darwin x64', 'macOS x64'],
  ['darwin arm64', 'macOS arm64'],
]);

/** The properties of a machine that decide which binary it needs. */
export interface Machine {
  /** `process.platform` and `process.arch`, separated by a space. */
  readonly platform: string;
  /** Whether Node runs on musl; called on Linux only. */
  readonly isMusl: () => boolean;
}

/** Returns the npm package with litesvm's binary for a machine; null if there is none. */
export function nativePackageFor({ platform, isMusl }: Machine): string | null {
  if (!NATIVE_PLATFORMS.has(platform)) return null;
  const name = `litesvm-${platform.replace(' ', '-')}`;
  if (!platform.startsWith('linux')) return name;
  return `${name}-${isMusl() ? 'musl' : 'gnu'}`;
}

/** The machine this process runs on. */
export const thisMachine: Machine = { platform: `${process.platform} ${process.arch}`, isMusl: runsOnMusl };

/** Whether Node runs on musl. Node's diagnostic report has a glibc version only on glibc. */
function runsOnMusl(): boolean {
  // `excludeNetwork` is available since Node 20.13.
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  // By default the report resolves the names of all network addresses, which can take seconds.
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  report.excludeNetwork = excludeNetwork;
  return header.glibcVersionRuntime === undefined;
}

/** Options for {@link assertEngineLoads}. */
export interface NativeEngineOptions {
  /** Loads the binary. */
  readonly load?: () => Promise<unknown>;
  readonly machine?: Machine;
}

/**
 * Checks that the VM can be loaded.
 *
 * @throws {ServiceError} ENGINE_UNAVAILABLE.
 */
export async function assertEngineLoads({
  load = () => import('./native-litesvm.ts'),
  machine = thisMachine,
}: NativeEngineOptions = {}): Promise<void> {
  try {
    await load();
  } catch (cause) {
    const { platform } = machine;
    const name = nativePackageFor(machine);
    const message =
      name === null
        ? `The virtual machine does not support ${platform}: run this program on ${[...NATIVE_PLATFORMS.values()].join(', ')}, or in a container or WSL on one of them`
        : `The npm package ${name} is not installed or does not load: install this program again (in the project's folder: run npm ci), without --omit=optional`;
    throw new ServiceError('ENGINE_UNAVAILABLE', message, { platform }, { cause });
  }
}
