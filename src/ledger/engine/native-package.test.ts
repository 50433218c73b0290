import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NATIVE_PLATFORMS, nativePackageFor, thisMachine } from './native-package.ts';

/** The members of the project's package file and lock file that are read here. */
interface PackageFile {
  readonly optionalDependencies: Readonly<Record<string, string>>;
}
interface LockFile {
  readonly packages: Readonly<
    Record<string, { version: string; os: string[]; cpu: string[]; libc?: string[] }>
  >;
}

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')) as T;

const MACHINES = [...NATIVE_PLATFORMS.keys()].flatMap((platform) =>
  [false, true].map((isMusl) => ({ platform, isMusl: () => isMusl })),
);

describe('the package with the engine of a machine', () => {
  it.each([
    ['linux x64', false, 'litesvm-linux-x64-gnu'],
    ['linux x64', true, 'litesvm-linux-x64-musl'],
    ['linux arm64', false, 'litesvm-linux-arm64-gnu'],
    ['linux arm64', true, 'litesvm-linux-arm64-musl'],
    ['darwin x64', false, 'litesvm-darwin-x64'],
    ['darwin arm64', false, 'litesvm-darwin-arm64'],
    ['win32 x64', false, null],
    ['linux riscv64', false, null],
  ])('is chosen for %s (musl: %s)', (platform, isMusl, name) => {
    expect(nativePackageFor({ platform, isMusl: () => isMusl })).toBe(name);
  });

  it('is one of the optional dependencies, and each of them is for some machine', () => {
    const { optionalDependencies } = read<PackageFile>('package.json');
    const chosen = new Set(MACHINES.map((machine) => nativePackageFor(machine)));
    expect(Object.keys(optionalDependencies).toSorted()).toEqual([...chosen].toSorted());
    expect(new Set(Object.values(optionalDependencies))).toEqual(new Set(['1.4.1']));
  });

  it('is in the lock file for every machine (npm bug: only the packages of the machine that wrote it)', () => {
    const { packages } = read<LockFile>('package-lock.json');
    for (const machine of MACHINES) {
      const [os, cpu] = machine.platform.split(' ');
      const libc = os === 'linux' ? { libc: [machine.isMusl() ? 'musl' : 'glibc'] } : {};
      expect(packages[`node_modules/${nativePackageFor(machine)}`]).toMatchObject({
        version: '1.4.1',
        os: [os],
        cpu: [cpu],
        ...libc,
      });
    }
  });

  it('is found without changing the report settings of the process', () => {
    const before = { ...process.report };
    expect(thisMachine.isMusl()).toBe(nativePackageFor(thisMachine)?.endsWith('-musl'));
    expect({ ...process.report }).toEqual(before);
  });
});
