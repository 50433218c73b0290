import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseProgramsPlace } from './programs-place.ts';

describe('parseProgramsPlace', () => {
  it.each(['programs', './devnet', '/var/lib/programs', 'C:\\programs', 'constructor'])(
    'reads %s as a folder',
    (text) => expect(parseProgramsPlace(text)).toEqual({ kind: 'folder', folder: text }),
  );

  it.each([
    ['devnet', 'https://api.devnet.solana.com/'],
    ['mainnet', 'https://api.mainnet-beta.solana.com/'],
    ['mainnet-beta', 'https://api.mainnet-beta.solana.com/'],
    ['localhost', 'http://localhost:8899/'],
    ['https://rpc.example/?api-key=1', 'https://rpc.example/?api-key=1'],
  ])('treats %s as a cluster', (text, href) => {
    const place = parseProgramsPlace(text);
    expect(place.kind === 'cluster' && place.url.reveal().href).toBe(href);
  });

  it('hides the URL, which may contain a key', () => {
    const place = parseProgramsPlace('https://rpc.example/?api-key=hidden');
    expect(inspect(place) + JSON.stringify(place)).not.toContain('hidden');
  });

  it.each(['ftp://rpc.example', 'https://', 'file:///var/programs'])('rejects %s', (text) => {
    expect(() => parseProgramsPlace(text)).toThrow(
      'must be a folder, the name of a cluster (devnet, mainnet) or an http(s) URL',
    );
  });

  it('rejects a password that cannot be decoded', () => {
    expect(() => parseProgramsPlace('https://u:%zz@rpc.example')).toThrow('must encode each % in its user');
  });
});
