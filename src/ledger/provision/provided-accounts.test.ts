import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOOP_PROGRAM, SYSTEM_PROGRAM, SYSVAR_OWNER } from '../../programs/addresses.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { readProgramDump } from '../genesis/dumps.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readProvidedAccounts } from './provided-accounts.ts';
import type { Provision } from './read-provision.ts';
import { EMPTY_PROVISION } from './testing/empty-provision.ts';

const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));

function writeAccount(
  folder: string,
  name: string,
  pubkey: Address,
  owner: Address = SYSTEM_PROGRAM,
): string {
  const account = { lamports: 5, data: ['', 'base64'], owner, executable: false, rentEpoch: 0, space: 0 };
  writeFileSync(join(folder, name), JSON.stringify({ pubkey, account }));
  return join(folder, name);
}

const provided = (parts: Partial<Provision>) => readProvidedAccounts({ ...EMPTY_PROVISION, ...parts });

describe('readProvidedAccounts', () => {
  it('reads accounts from files and folders, and the mint', () => {
    const folder = temporaryFolder();
    writeAccount(folder, 'b.json', at(2));
    writeAccount(folder, 'a.json', at(1));
    writeFileSync(join(folder, 'notes.txt'), 'no account');
    const file = writeAccount(temporaryFolder(), 'c.json', at(3));
    const found = provided({
      accounts: [{ address: null, file }],
      accountFolders: [folder],
      mint: { address: at(4), lamports: 7n },
    });
    expect(found.map(({ origin, address }) => [origin, address])).toEqual([
      [`--account ${file}`, at(3)],
      [`--account-dir ${folder}/a.json`, at(1)],
      [`--account-dir ${folder}/b.json`, at(2)],
      ['--mint', at(4)],
    ]);
    expect(found[3]?.entries).toEqual([
      [at(4), expect.objectContaining({ lamports: 7n, owner: SYSTEM_PROGRAM })],
    ]);
  });

  it('sets an account at the given address, whatever address the file has', () => {
    const file = writeAccount(temporaryFolder(), 'x.json', at(1));
    expect(provided({ accounts: [{ address: at(2), file }] })[0]?.entries[0]?.[0]).toBe(at(2));
  });

  it('creates upgradeable programs from ELF files, with and without an authority', () => {
    const file = join(temporaryFolder(), 'noop.so');
    const code = readProgramDump(NOOP_PROGRAM);
    writeFileSync(file, code);
    const [one, other] = provided({
      programs: [
        { address: at(1), file, authority: null },
        { address: at(2), file, authority: at(9) },
      ],
    });
    expect(one?.entries).toEqual(programAccounts(at(1), code));
    const [, programData] = other?.entries[0] ?? [];
    // UpgradeableLoaderState::ProgramData: tag u32, slot u64, Option of the authority.
    const header = Buffer.from(programData?.data.subarray(0, 45) ?? []).toString('hex');
    expect(header).toBe(`03000000${'00'.repeat(8)}01${'09'.repeat(32)}`);
  });

  it.each<[string, (folder: string) => Partial<Provision>, string]>([
    [
      'a sysvar',
      (folder) => ({
        accounts: [{ address: null, file: writeAccount(folder, 'x.json', at(1), SYSVAR_OWNER) }],
      }),
      `x.json contains ${at(1)}, which each ledger maintains itself`,
    ],
    [
      'a file that is not a program',
      (folder) => ({
        programs: [{ address: at(1), file: writeAccount(folder, 'x.so', at(1)), authority: null }],
      }),
      'x.so is not a program: it is not an ELF file',
    ],
    ['a missing folder', (folder) => ({ accountFolders: [join(folder, 'none')] }), 'none does not exist'],
    [
      'an address that is given twice',
      (folder) => ({
        accounts: [{ address: null, file: writeAccount(folder, 'x.json', at(1)) }],
        mint: { address: at(1), lamports: 1n },
      }),
      'by --mint',
    ],
  ])('rejects %s', (_, parts, what) => {
    expect(() => provided(parts(temporaryFolder()))).toThrow(
      expect.objectContaining({ code: 'PROVISION_INVALID', message: expect.stringContaining(what) }),
    );
  });
});
