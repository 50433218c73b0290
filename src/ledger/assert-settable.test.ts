import { describe, expect, it } from 'vitest';
import {
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  NATIVE_LOADER,
  SYSTEM_PROGRAM,
} from '../programs/addresses.ts';
import { CLOCK_SYSVAR } from '../programs/sysvars.ts';
import type { Account } from '../solana/account.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { assertSettable } from './assert-settable.ts';
import { programAccounts } from './genesis/program-accounts.ts';
import { deadlyProgram } from './provision/testing/deadly-program.ts';
import { Accounts } from './state/accounts.ts';
import { accountOf } from './testing/make-account.ts';
import { SeededRandom } from './testing/seeded-random.ts';

type Entry = readonly [Address, Account];

const random = new SeededRandom('settable');
const [alice, bob, program, other] = Array.from({ length: 4 }, () => addressOf(random.bytes(32))) as [
  Address,
  Address,
  Address,
  Address,
];
const wallet = (lamports: bigint): Account => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);
const executable = (owner: Address, data = new Uint8Array(36)): Account => ({
  ...accountOf(owner, data),
  executable: true,
});
const [data, pointer] = programAccounts(other, new Uint8Array(10)) as readonly Entry[] as [Entry, Entry];

const present = new Accounts();
present.set(alice, wallet(5n));
present.set(program, executable(BPF_LOADER_2));

describe('assertSettable', () => {
  it.each<[string, Entry[]]>([
    [
      'a wallet, new or in place of another',
      [
        [bob, wallet(1n)],
        [alice, wallet(2n)],
      ],
    ],
    ['the maximum number of lamports', [[bob, wallet(2n ** 64n - 1n - present.totalLamports)]]],
    ['ten MiB of data', [[bob, accountOf(program, new Uint8Array(10_485_760))]]],
    ['the removal of a wallet', [[alice, wallet(0n)]]],
    ['the removal of a missing account', [[bob, wallet(0n)]]],
    ['a program after its data', [data, pointer]],
    ['a program in place of a program', [[program, executable(NATIVE_LOADER)]]],
  ])('allows %s', (_, entries) => {
    expect(() => assertSettable(entries, present)).not.toThrow();
  });

  it.each<[string, Entry[], string]>([
    ['a sysvar', [[CLOCK_SYSVAR, wallet(1n)]], 'it is a sysvar'],
    ['lamports below zero', [[bob, wallet(-1n)]], 'lamports do not fit into a u64'],
    ['lamports beyond u64', [[bob, wallet(2n ** 64n)]], 'lamports do not fit into a u64'],
    [
      'a rent epoch beyond u64',
      [[bob, { ...wallet(1n), rentEpoch: 2n ** 64n }]],
      'rent epoch does not fit into a u64',
    ],
    [
      'more lamports than there can be, in all',
      [
        [bob, wallet(2n ** 63n)],
        [other, wallet(2n ** 63n)],
      ],
      'the total of all lamports',
    ],
    [
      'a byte more than ten MiB',
      [[bob, accountOf(program, new Uint8Array(10_485_761))]],
      'its data is longer',
    ],
    ['the removal of a program', [[program, wallet(0n)]], 'must stay one'],
    [
      'a program in place of the code of another (bug: calls to the other one failed internally)',
      [data, pointer, [data[0], executable(NATIVE_LOADER)]],
      'cannot become one',
    ],
    ['a wallet in place of a program', [[program, wallet(1n)]], 'must stay one'],
    [
      'a wallet in place of a program that is set with it',
      [
        [bob, executable(BPF_LOADER_2)],
        [bob, wallet(1n)],
      ],
      'must stay one',
    ],
    ['a program owned by a wallet', [[bob, executable(SYSTEM_PROGRAM)]], 'owner is not a loader'],
    ['a program without lamports', [[bob, { ...executable(BPF_LOADER_2), lamports: 0n }]], 'has no lamports'],
    ['a program of loader v4', [[bob, deadlyProgram()]], 'belongs to loader v4'],
    ['a program before its data', [pointer, data], 'is missing'],
    ['a program without data', [pointer], `its ProgramData ${data[0]} is missing`],
    [
      'a program that names no data account',
      [[bob, executable(BPF_LOADER_UPGRADEABLE)]],
      'names no ProgramData',
    ],
    [
      'a program too short to name one',
      [[bob, executable(BPF_LOADER_UPGRADEABLE, Uint8Array.of(2, 0, 0, 0))]],
      'names no ProgramData',
    ],
  ])('rejects %s', (_, entries, reason) => {
    expect(() => assertSettable(entries, present)).toThrow(reason);
    expect(() => assertSettable(entries, present)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENTS' }),
    );
  });
});
