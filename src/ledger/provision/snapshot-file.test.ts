import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readSnapshotFile } from './provided-accounts.ts';

const ADDRESS = addressOf(new Uint8Array(32).fill(1));
const ACCOUNT = `{"lamports":9007199254740993,"owner":"${SYSTEM_PROGRAM}","executable":false,"rentEpoch":18446744073709551615,"data":"AQI=","parsedData":null}`;

function write(text: string): string {
  const file = join(temporaryFolder(), 'snapshot.json');
  writeFileSync(file, text);
  return file;
}

describe('readSnapshotFile', () => {
  it.each([
    ['the accounts alone', `{"${ADDRESS}":${ACCOUNT}}`],
    [
      'the whole response of the call',
      `{"jsonrpc":"2.0","result":{"context":{"slot":1},"value":{"${ADDRESS}":${ACCOUNT}}},"id":1}`,
    ],
  ])('accepts %s, with every digit of its numbers', (_, text) => {
    expect([...readSnapshotFile(write(text))]).toEqual([
      [
        ADDRESS,
        {
          lamports: 9_007_199_254_740_993n,
          owner: SYSTEM_PROGRAM,
          executable: false,
          rentEpoch: 0xffff_ffff_ffff_ffffn,
          data: Uint8Array.of(1, 2),
        },
      ],
    ]);
  });

  it.each([
    ['no JSON', '{', 'is not JSON'],
    ['a list', '[]', 'the file'],
    ['no address', `{"me":${ACCOUNT}}`, 'me'],
    ['no base64', `{"${ADDRESS}":${ACCOUNT.replace('AQI=', '!')}}`, `${ADDRESS}.data is not base64`],
    ['no lamports', `{"${ADDRESS}":${ACCOUNT.replace('9007199254740993', '0')}}`, 'lamports must not be 0'],
    ['an error', '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}', 'jsonrpc'],
    ['an account to be copied', `{"${ADDRESS}":null}`, 'is null: leave it out'],
  ])('rejects %s, and names the file', (_, text, what) => {
    const file = write(text);
    expect(() => readSnapshotFile(file)).toThrow(
      expect.objectContaining({
        code: 'PROVISION_INVALID',
        message: expect.stringContaining(what) as string,
      }),
    );
    expect(() => readSnapshotFile(file)).toThrow(file);
  });
});
