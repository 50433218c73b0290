import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressBytes } from '../../solana/address.ts';
import { Keypair } from '../keypair.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readCliWallet } from './read-provision.ts';

const seed = new Uint8Array(32).fill(7);
const { address } = new Keypair(seed);
const keypair = JSON.stringify([...seed, ...addressBytes(address)]);

function fileWith(name: string, text: string): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

const configWith = (line: string): string =>
  fileWith(
    'config.yml',
    `---\njson_rpc_url: http://localhost:8899\nwebsocket_url: ''\n${line}\ncommitment: confirmed\n`,
  );

describe('readCliWallet', () => {
  it.each([
    (path: string) => `keypair_path: ${path}`,
    (path: string) => `keypair_path: "${path}"  # mine`,
    (path: string) => `keypair_path: '${path}'`,
  ])('finds the wallet whose keypair the configuration names (%#)', (line) => {
    expect(readCliWallet(configWith(line(fileWith('id.json', keypair))))).toBe(address);
  });

  it.each<[string, () => string, RegExp]>([
    ['a missing configuration', () => '/nonexistent/config.yml', /does not exist$/],
    ['one without a keypair', () => configWith('address_labels: {}'), /has no keypair_path: pass the wallet/],
    [
      'a key on a device',
      () => configWith('keypair_path: usb://ledger'),
      /usb:\/\/ledger, which is not a file/,
    ],
    ['a missing keypair', () => configWith('keypair_path: /nonexistent/id.json'), /id\.json does not exist$/],
    [
      'a keypair of another length',
      () => configWith(`keypair_path: ${fileWith('id.json', '[1,2]')}`),
      /is not a solana-keygen keypair/,
    ],
    [
      'a keypair whose halves do not match',
      () =>
        configWith(
          `keypair_path: ${fileWith('id.json', JSON.stringify(Array.from({ length: 64 }, () => 1)))}`,
        ),
      /is not a solana-keygen keypair/,
    ],
  ])('rejects %s', (_, config, message) => {
    expect(() => readCliWallet(config())).toThrow(
      expect.objectContaining({
        code: 'PROVISION_INVALID',
        message: expect.stringMatching(message) as string,
      }),
    );
  });
});
