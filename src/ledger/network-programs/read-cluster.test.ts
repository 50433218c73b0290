import { describe, expect, it, onTestFinished } from 'vitest';
import {
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { walletAccount } from '../genesis/genesis.ts';
import { deriveProgramData, encodeProgram, programAccounts } from '../genesis/program-accounts.ts';
import type { AccountSource } from '../provision/clone-accounts.ts';
import { startServedCluster } from '../provision/testing/served-cluster.ts';
import { readClusterPrograms } from './network-programs.ts';
import { layoutADumps, hashesOf } from './testing/program-folder.ts';

const PROGRAM_DATA = deriveProgramData(PERMISSION_PROGRAM);

/** A cluster with the programs of layout A, but for the changed accounts. */
function clusterWith(...changed: (readonly [Address, Account | null])[]): AccountSource {
  const entries = [...layoutADumps()].flatMap(([program, code]) => programAccounts(program, code));
  const accounts = new Map<Address, Account | null>([...entries, ...changed]);
  return { getAccounts: async (addresses) => addresses.map((address) => accounts.get(address) ?? null) };
}

const [[, goodData], [, goodProgram]] = programAccounts(PERMISSION_PROGRAM, new Uint8Array(100));

describe('readClusterPrograms', () => {
  it('reads the code over RPC as the cluster has deployed it', async () => {
    const cluster = await startServedCluster();
    onTestFinished(() => cluster.close());
    expect(hashesOf(await readClusterPrograms(cluster.source))).toEqual(hashesOf(layoutADumps()));
  });

  it.each<[string, readonly [Address, Account | null], string]>([
    ['is missing', [PERMISSION_PROGRAM, null], 'does not exist there'],
    [
      'is a wallet',
      [PERMISSION_PROGRAM, walletAccount(1n)],
      'is not an executable account of the upgradeable loader there',
    ],
    [
      'is of another loader',
      [PERMISSION_PROGRAM, { ...goodProgram, owner: BPF_LOADER_2 }],
      'is not an executable account of the upgradeable loader there',
    ],
    [
      'is not executable',
      [PERMISSION_PROGRAM, { ...goodProgram, executable: false }],
      'is not an executable account of the upgradeable loader there',
    ],
    [
      'names other ProgramData',
      [PERMISSION_PROGRAM, { ...goodProgram, data: encodeProgram(SYSTEM_PROGRAM) }],
      'does not name its ProgramData there',
    ],
    ['was closed', [PROGRAM_DATA, null], 'has no code there: it was closed'],
    [
      'has the ProgramData of another program',
      [PROGRAM_DATA, { ...goodData, owner: SYSTEM_PROGRAM }],
      'has no code there: it was closed',
    ],
    ['has code that is not an ELF file', [PROGRAM_DATA, goodData], 'has code there that is not an ELF file'],
    [
      'has more code than an account can hold',
      [
        PROGRAM_DATA,
        { ...goodData, data: new Uint8Array(Buffer.concat([goodData.data, Buffer.alloc(10 * 1024 * 1024)])) },
      ],
      'has more than 10485760 bytes of code there',
    ],
  ])('rejects a program that %s, and names it', async (_, changed, words) => {
    expect(goodData.owner).toBe(BPF_LOADER_UPGRADEABLE);
    await expect(readClusterPrograms(clusterWith(changed))).rejects.toMatchObject({
      code: 'PROVISION_INVALID',
      message: expect.stringContaining(`the permission program (${PERMISSION_PROGRAM}) ${words}`),
    });
  });
});
