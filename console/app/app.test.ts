import { describe, expect, it } from 'vitest';
import { commandOf } from './keys.tsx';
import { PLACES, placeOf } from './places.ts';
import { storedTheme, setTheme, themeAfter } from './theme.ts';
import { effectiveViewpoint, viewpointOf, withViewpoint } from './viewpoint.ts';

describe('the viewpoint of a URL', () => {
  it('is one of three, or is not said', () => {
    expect(['?as=base', '?a=1&as=owner', '?as=operator', ''].map(viewpointOf)).toEqual([
      'base',
      'owner',
      null,
      null,
    ]);
  });

  it('falls back to anyone where this tab has no token', () => {
    expect(effectiveViewpoint('owner', false)).toBe('anyone');
    expect(effectiveViewpoint('owner', true)).toBe('owner');
    expect(effectiveViewpoint('base', true)).toBe('base');
    expect([effectiveViewpoint(null, true), effectiveViewpoint(null, false)]).toEqual(['owner', 'anyone']);
  });

  it('is put in beside what is there', () => {
    expect(withViewpoint('/console/explorer', '?failed=1&as=base', 'anyone')).toBe(
      '/console/explorer?failed=1&as=anyone',
    );
  });
});

describe('places', () => {
  it('are found by their paths; what is on a ledger is the explorer’s', () => {
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

  it('with no ledger data in them have no viewpoint bar', () => {
    expect(PLACES.filter(({ isLedgerData }) => !isLedgerData).map(({ name }) => name)).toEqual([
      'Requests',
      'Operations',
    ]);
  });
});

describe('keys', () => {
  it('look, search and lead to each view after g', () => {
    expect(commandOf('2', null)).toEqual({ kind: 'look', as: 'anyone' });
    expect(commandOf('/', null)).toEqual({ kind: 'search' });
    expect(PLACES.map(({ key }) => commandOf(key, 'g'))).toEqual(
      PLACES.map(({ path }) => ({ kind: 'go', path })),
    );
    expect([commandOf('g', null), commandOf('2', 'g'), commandOf('x', null)]).toEqual([null, null, null]);
  });

  it('are each of one view', () => {
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
