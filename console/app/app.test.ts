import { describe, expect, it } from 'vitest';
import { commandOf } from './keys.tsx';
import { PLACES, placeOf } from './places.ts';
import { storedTheme, setTheme, themeAfter } from './theme.ts';
import { effectiveViewpoint, viewpointOf, withViewpoint } from './viewpoint.ts';

describe('the viewpoint of a URL', () => {
  it('is one of three, or is missing', () => {
    expect(['?as=base', '?a=1&as=owner', '?as=operator', ''].map(viewpointOf)).toEqual([
      'base',
      'owner',
      null,
      null,
    ]);
  });

  it('falls back to anyone if this tab has no token', () => {
    expect(effectiveViewpoint('owner', false)).toBe('anyone');
    expect(effectiveViewpoint('owner', true)).toBe('owner');
    expect(effectiveViewpoint('base', true)).toBe('base');
    expect([effectiveViewpoint(null, true), effectiveViewpoint(null, false)]).toEqual(['owner', 'anyone']);
  });

  it('is added to the other parameters', () => {
    expect(withViewpoint('/console/explorer', '?failed=1&as=base', 'anyone')).toBe(
      '/console/explorer?failed=1&as=anyone',
    );
  });
});

describe('places', () => {
  it('are found by their paths; the ledger pages belong to the explorer', () => {
    const name = (path: string) => placeOf(path)?.name;
    expect(
      [
        '/',
        '/console',
        '/console/',
        '/console/life/abc',
        '/console/base/tx/abc',
        '/console/rollup/account/x',
      ].map(name),
    ).toEqual(['Play', 'Play', 'Play', 'Life', 'Explorer', 'Explorer']);
    expect(placeOf('/console/nowhere')).toBeNull();
  });

  it('without ledger data have no viewpoint bar', () => {
    expect(PLACES.filter(({ isLedgerData }) => !isLedgerData).map(({ name }) => name)).toEqual([
      'Requests',
      'Operations',
    ]);
  });
});

describe('keys', () => {
  it('change the viewpoint, search, and open each view after g', () => {
    expect(commandOf('2', null)).toEqual({ kind: 'look', as: 'anyone' });
    expect(commandOf('/', null)).toEqual({ kind: 'search' });
    expect(PLACES.map(({ key }) => commandOf(key, 'g'))).toEqual(
      PLACES.map(({ path }) => ({ kind: 'go', path })),
    );
    expect([commandOf('g', null), commandOf('2', 'g'), commandOf('x', null)]).toEqual([null, null, null]);
  });

  it('belong to one view each', () => {
    expect(new Set(PLACES.map(({ key }) => key)).size).toBe(PLACES.length);
  });
});

describe('the theme', () => {
  it('cycles, is stored, and defaults to the system’s', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    };
    const root = { dataset: {} as Record<string, string> } as unknown as HTMLElement;
    expect(storedTheme(storage)).toBe('system');
    const dark = themeAfter(themeAfter('system'));
    setTheme(dark, root, storage);
    expect([root.dataset['theme'], storedTheme(storage)]).toEqual(['dark', 'dark']);
    setTheme(themeAfter(dark), root, storage);
    expect([root.dataset['theme'], storedTheme(storage)]).toEqual([undefined, 'system']);
  });
});
