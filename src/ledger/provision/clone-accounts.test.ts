import { describe, expect, it } from 'vitest';
import { NATIVE_LOADER, NOOP_PROGRAM, SYSVAR_OWNER } from '../../programs/addresses.ts';
import { decodeLookupTable } from '../../programs/lookup-table.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { readProgramDump } from '../genesis/dumps.ts';
import { walletAccount } from '../genesis/genesis.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { lookupTable } from '../testing/lookup-table.ts';
import { accountOf } from '../testing/make-account.ts';
import { cloneAccounts, type CloneList } from './clone-accounts.ts';

const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const PROGRAM = at(7);

function programDeployedLate(): [Address, Account][] {
  const entries = programAccounts(PROGRAM, readProgramDump(NOOP_PROGRAM), at(9));
  new DataView((entries[0] as [Address, Account])[1].data.buffer).setBigUint64(4, 350_000_000n, true);
  return entries;
}

const THERE = new Map<Address, Account>([
  [at(1), walletAccount(5n)],
  [at(2), accountOf(SYSVAR_OWNER, new Uint8Array(8))],
  [at(3), lookupTable([at(1)], { extended: 350_000_000n, extendedFrom: 1 })],
  [at(4), { ...accountOf(NATIVE_LOADER, new Uint8Array(8)), executable: true }],
  // Its ProgramData are gone.
  ...programAccounts(at(5), new Uint8Array(0)).slice(1),
  ...programDeployedLate(),
]);

const source = {
  getAccounts: async (addresses: readonly Address[]) =>
    addresses.map((address) => THERE.get(address) ?? null),
};

const clone = async (list: Partial<CloneList>) =>
  new Map(await cloneAccounts(source, { accounts: [], optional: [], programs: [], tables: [], ...list }));

describe('cloneAccounts', () => {
  it('copies existing accounts and skips absent optional ones', async () => {
    const copied = await clone({ accounts: [at(1)], optional: [at(1), at(99), at(2), at(4), at(5)] });
    expect([...copied]).toEqual([[at(1), walletAccount(5n)]]);
  });

  it('copies the code of a program before the program, as deployed at slot 0', async () => {
    for (const list of [{ programs: [PROGRAM] }, { accounts: [PROGRAM] }]) {
      const copied = await clone(list);
      expect([...copied]).toEqual(programAccounts(PROGRAM, readProgramDump(NOOP_PROGRAM), at(9)));
    }
  });

  it('copies lookup tables with addresses that can be used', async () => {
    const table = decodeLookupTable(
      (await clone({ accounts: [at(3)] })).get(at(3))?.data ?? new Uint8Array(0),
    );
    expect(table).toMatchObject({ lastExtendedSlot: 0n, lastExtendedFrom: 0, addresses: [at(1)] });
  });

  it('copies the accounts that a lookup table lists, except skipped ones', async () => {
    const table = lookupTable([at(1), at(99), PROGRAM, at(9), at(1)]);
    const there = new Map([...THERE, [at(50), table], [at(9), walletAccount(6n)]]);
    const list = { accounts: [], optional: [], programs: [], tables: [at(50)] };
    const deep = { getAccounts: async (all: readonly Address[]) => all.map((one) => there.get(one) ?? null) };
    const copied = new Map(await cloneAccounts(deep, list, (address) => address === at(9)));
    const [code] = programAccounts(PROGRAM, readProgramDump(NOOP_PROGRAM), at(9));
    expect(new Set(copied.keys())).toEqual(new Set([at(50), at(1), PROGRAM, code[0]]));
  });

  it.each<[Partial<CloneList>, string]>([
    [
      { tables: [at(99)] },
      `--deep-clone-address-lookup-table ${at(99)} cannot be copied from the cluster: it does not exist there`,
    ],
    [
      { tables: [at(1)] },
      `--deep-clone-address-lookup-table ${at(1)} cannot be copied from the cluster: it is not a lookup table`,
    ],
    [{ accounts: [at(99)] }, `--clone ${at(99)} cannot be copied from the cluster: it does not exist there`],
    [
      { accounts: [at(2)] },
      `--clone ${at(2)} cannot be copied from the cluster: each ledger maintains this account itself`,
    ],
    [
      { programs: [at(1)] },
      `--clone-upgradeable-program ${at(1)} cannot be copied from the cluster: it is not an upgradeable program`,
    ],
    [
      { programs: [at(5)] },
      `--clone-upgradeable-program ${at(5)} cannot be copied from the cluster: it was closed there`,
    ],
  ])('rejects %j', async (list, message) => {
    await expect(clone(list)).rejects.toMatchObject({ code: 'PROVISION_INVALID', message });
  });
});
