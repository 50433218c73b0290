import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readAccountFile } from './provided-accounts.ts';

const PUBKEY = 'BPFLoader2111111111111111111111111111111111';

/** A file as the CLI writes it, with members of the account replaced by JSON text. */
function writeFile(account: Record<string, string> = {}): string {
  const members = {
    lamports: '1000000',
    data: '["AQID","base64"]',
    owner: `"${SYSTEM_PROGRAM}"`,
    executable: 'false',
    rentEpoch: '18446744073709551615',
    space: '3',
    ...account,
  };
  const text = Object.entries(members)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `"${name}": ${value}`)
    .join(', ');
  const file = join(temporaryFolder(), 'account.json');
  writeFileSync(file, `{ "pubkey": "${PUBKEY}", "account": { ${text} } }`);
  return file;
}

describe('readAccountFile', () => {
  it('reads the output of the CLI without losing digits', () => {
    expect(readAccountFile(writeFile({ lamports: '9007199254740993' }))).toEqual([
      PUBKEY,
      {
        lamports: 9_007_199_254_740_993n,
        owner: SYSTEM_PROGRAM,
        data: Uint8Array.of(1, 2, 3),
        executable: false,
        rentEpoch: 18_446_744_073_709_551_615n,
      },
    ]);
  });

  it.each([
    [{ data: '["","base64"]', space: '' }, { data: new Uint8Array(0) }],
    [{ rentEpoch: '18446744073709552000' }, { rentEpoch: 18_446_744_073_709_551_615n }],
    [{ rentEpoch: '361' }, { rentEpoch: 361n }],
    [
      { rentEpoch: '', executable: '', space: '' },
      { rentEpoch: 0xffff_ffff_ffff_ffffn, executable: false },
    ],
  ])('reads %j', (members, expected) => {
    expect(readAccountFile(writeFile(members))[1]).toMatchObject(expected);
  });

  it.each([
    [{ lamports: '-1' }, 'account.lamports must not be negative'],
    [{ lamports: '0' }, 'account.lamports must not be 0, because every account has lamports'],
    [{ lamports: '18446744073709551616' }, 'account.lamports must be a 64-bit integer'],
    [{ lamports: '1.5' }, 'account.lamports must be an integer'],
    [{ owner: '"me"' }, 'account.owner must be a base58 address of 32 bytes'],
    [{ data: '["AQID","base64+zstd"]' }, 'account.data.1 Invalid input: expected "base64"'],
    [{ data: '["AQI","base64"]' }, 'account.data.0 is not base64'],
    [{ space: '4' }, 'account.space is not the length of data'],
  ])('rejects %j', (members, what) => {
    const file = writeFile(members);
    expect(() => readAccountFile(file)).toThrow(
      expect.objectContaining({
        code: 'PROVISION_INVALID',
        message: `${file} is not in the format of "solana account --output json": ${what}`,
      }),
    );
  });

  it('reports why a file cannot be read', () => {
    const folder = temporaryFolder();
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{"pubkey":');
    const faults = [broken, folder, join(folder, 'none.json')].map((file) => {
      try {
        return readAccountFile(file);
      } catch (error) {
        return (error as Error).message.slice(file.length);
      }
    });
    expect(faults).toEqual([' is not JSON', ' is a folder, not a file', ' does not exist']);
  });
});
