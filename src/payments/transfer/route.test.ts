import { describe, expect, it } from 'vitest';
import type { Location } from '../building/built-transaction.ts';
import { type Route, routeOf } from './request.ts';

describe('routeOf', () => {
  it.each<['public' | 'private', Location, Location, Route]>([
    ['public', 'base', 'base', 'publicBase'],
    ['private', 'base', 'base', 'privateBase'],
    ['private', 'base', 'ephemeral', 'baseToEphemeral'],
    ['public', 'ephemeral', 'ephemeral', 'ephemeral'],
    ['private', 'ephemeral', 'ephemeral', 'ephemeral'],
    ['private', 'ephemeral', 'base', 'ephemeralToBase'],
  ])('%s from %s to %s is %s', (visibility, fromBalance, toBalance, route) => {
    expect(routeOf({ visibility, fromBalance, toBalance })).toBe(route);
  });

  it.each<[Location, Location]>([
    ['base', 'ephemeral'],
    ['ephemeral', 'base'],
  ])('rejects a public transfer from %s to %s with the hosted text, and names the routes', (from, to) => {
    const hosted = `transferSpl route not implemented: visibility=public, fromBalance=${from}, toBalance=${to}; `;
    expect(() => routeOf({ visibility: 'public', fromBalance: from, toBalance: to })).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_TRANSFER_ROUTE',
        message: expect.stringMatching(
          `^${hosted}the routes are visibility public with fromBalance base and toBalance base; .*private`,
        ),
      }),
    );
  });
});
