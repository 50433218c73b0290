import { describe, expect, it } from 'vitest';
import { assertEngineLoads } from './native-engine.ts';

const missing = async (): Promise<never> => {
  throw new Error('Cannot find native binding. Remove node_modules');
};

describe('assertEngineLoads', () => {
  it('is content with the engine of this machine', async () => {
    await expect(assertEngineLoads()).resolves.toBeUndefined();
  });

  it('names the platforms where there is none for this one', async () => {
    await expect(assertEngineLoads({ load: missing, platform: 'win32 x64' })).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message:
        'There is none for win32 x64: run it on Linux x64, Linux arm64, macOS x64, macOS arm64, or in a container or WSL on one of them',
    });
  });

  it('says how to install it where there is one', async () => {
    await expect(assertEngineLoads({ load: missing, platform: 'linux x64' })).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: expect.stringContaining('run npm ci'),
    });
  });
});
