import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { createPublicLookup } from './custom-clusters.ts';

const ip = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });

/** The lookup result of a name that resolves to `addresses`. */
function lookUp(addresses: readonly string[], all: boolean, error: Error | null = null): Promise<unknown> {
  const lookup = createPublicLookup((_name, done) => done(error, addresses.map(ip)));
  return new Promise((resolve) => {
    lookup('rpc.example', { all }, (fault, address, family) =>
      resolve(fault ? fault.message : all ? address : [address, family]),
    );
  });
}

describe('createPublicLookup', () => {
  it('returns the addresses it has checked', async () => {
    expect(await lookUp(['1.1.1.1', '2606:4700::1111'], true)).toEqual([
      ip('1.1.1.1'),
      ip('2606:4700::1111'),
    ]);
    expect(await lookUp(['1.1.1.1', '2606:4700::1111'], false)).toEqual(['1.1.1.1', 4]);
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '1.1.1.1, 10.0.0.1',
    '2606:4700::1111, fe80::1',
  ])('rejects a name that resolves to %s', async (list) => {
    const addresses = list.split(', ');
    expect(await lookUp(addresses, true)).toBe('forbidden-address');
    expect(await lookUp(addresses, false)).toBe('forbidden-address');
  });

  it('fails if the name does not resolve', async () => {
    expect(await lookUp([], true)).toBe('unreachable');
    expect(await lookUp([], true, new Error('ENOTFOUND'))).toBe('ENOTFOUND');
  });

  it('uses the system resolver by default', async () => {
    const message = await new Promise((resolve) => {
      createPublicLookup()('localhost', { all: true }, (fault) => resolve(fault?.message));
    });
    expect(message).toBe('forbidden-address');
  });
});
