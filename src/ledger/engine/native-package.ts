/** Platforms that litesvm has a binary for, by Node's names; on Linux each with glibc and with musl. */
export const NATIVE_PLATFORMS: ReadonlyMap<string, string> = new Map([
  ['linux x64', 'Linux x64'],
  ['linux arm64', 'Linux arm64'],
  ['darwin x64', 'macOS x64'],
  ['darwin arm64', 'macOS arm64'],
]);

/** What a binary has to fit. */
export interface Machine {
  /** `process.platform` and `process.arch`, with a blank between them. */
  readonly platform: string;
  /** Whether Node runs on musl; only looked at on Linux. */
  readonly isMusl: () => boolean;
}

/**
 * The npm package with litesvm's binary for a machine, one of `optionalDependencies`; null where there is
 * none.
 */
export function nativePackageFor({ platform, isMusl }: Machine): string | null {
  if (!NATIVE_PLATFORMS.has(platform)) return null;
  const name = `litesvm-${platform.replace(' ', '-')}`;
  if (!platform.startsWith('linux')) return name;
  return `${name}-${isMusl() ? 'musl' : 'gnu'}`;
}

/** The machine this process runs on. */
export const thisMachine: Machine = { platform: `${process.platform} ${process.arch}`, isMusl: runsOnMusl };

/**
 * Node's report names the version of glibc it runs with (Node docs, "Diagnostic report"), and musl has none.
 */
function runsOnMusl(): boolean {
  // Node has it since 20.13.
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  // Otherwise the names of the network's addresses are asked for, which may take seconds.
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  report.excludeNetwork = excludeNetwork;
  return header.glibcVersionRuntime === undefined;
}
