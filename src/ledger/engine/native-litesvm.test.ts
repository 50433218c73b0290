import { createRequire } from 'node:module';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as native from './native-litesvm.ts';

type Published = typeof import('litesvm/dist/internal.js');

describe('the native part of litesvm', () => {
  it('is the one that the loader of the package chooses', () => {
    const published = createRequire(import.meta.url)('litesvm/dist/internal.js') as Published;
    for (const [name, loaded] of Object.entries(native)) {
      expect(loaded, name).toBeTypeOf('function');
      expect(loaded, name).toBe(published[name as keyof typeof native]);
    }
    expect(Object.keys(native)).toHaveLength(9);
  });

  it('is declared as the package declares it', () => {
    expectTypeOf<Published>().toExtend<native.NativeLiteSvm>();
  });
});
