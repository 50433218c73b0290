import { describe, expect, it } from 'vitest';
import { assertEngineLoads } from '../ledger/engine/native-package.ts';

const missing = async (): Promise<never> => {
  throw new Error("Cannot find module 'litesvm-linux-x64-gnu'");
};

const machine = (platform: string, isMusl = false): { platform: string; isMusl: () => boolean } => ({
  platform,
  isMusl: () => isMusl,
});

describe('assertEngineLoads', () => {
  it('accepts the engine of this machine', async () => {
    await expect(assertEngineLoads()).resolves.toBeUndefined();
  });

  it('names the supported platforms if this one has no binary', async () => {
    await expect(assertEngineLoads({ load: missing, machine: machine('win32 x64') })).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message:
        'The virtual machine does not support win32 x64: run this program on Linux x64, Linux arm64, macOS x64, macOS arm64, or in a container or WSL on one of them',
    });
  });

  it('says how to install a missing binary', async () => {
    await expect(
      assertEngineLoads({ load: missing, machine: machine('linux arm64', true) }),
    ).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message:
        "The npm package litesvm-linux-arm64-musl is not installed or does not load: install this program again (in the project's folder: run npm ci), without --omit=optional",
    });
  });
});
