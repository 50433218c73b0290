import { describe, expect, it } from 'vitest';
import { routeOf, type Location, type Route, type Visibility } from './route.ts';

describe('routeOf', () => {
  it.each<[Visibility, Location, Location, Route]>([
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
  ])('refuses a public one from %s to %s in the hosted words', (fromBalance, toBalance) => {
    expect(() => routeOf({ visibility: 'public', fromBalance, toBalance })).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_TRANSFER_ROUTE',
        message: `transferSpl route not implemented: visibility=public, fromBalance=${fromBalance}, toBalance=${toBalance}`,
      }),
    );
  });
});
