import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { concat, u32, u64, u8 } from '../instruction-data.ts';
import { decodeMagicCall } from './magic-call.ts';
import { noop } from './table.ts';

const random = new SeededRandom('magic');
const key = (): Address => addressOf(random.bytes(32));
const [program, account] = [key(), key()];

/** bincode: a u64 count and the items. */
const list = (...items: readonly Uint8Array[]): Uint8Array => concat(u64(BigInt(items.length)), ...items);
const bytesOf = (...bytes: readonly number[]): Uint8Array =>
  concat(u64(BigInt(bytes.length)), Uint8Array.from(bytes));
const none = u8(0);
const some = (value: Uint8Array): Uint8Array => concat(u8(1), value);

const action = (data: number) =>
  concat(
    u8(255),
    bytesOf(data, 1),
    u32(60_000),
    u8(2),
    addressBytes(program),
    list(concat(addressBytes(account), u8(1)), concat(addressBytes(program), u8(0))),
  );
const decodedAction = (data: number) => ({
  escrowIndex: 255,
  data: Uint8Array.of(data, 1),
  computeUnits: 60_000,
  escrowAuthorityIndex: 2,
  program,
  accounts: [
    { address: account, isWritable: true },
    { address: program, isWritable: false },
  ],
});

describe('decodeMagicCall()', () => {
  it.each<[string, Uint8Array, unknown]>([
    [
      'an action of its own',
      concat(u32(11), none, none, none, none, list(action(202))),
      { kind: 'bundle', commits: [], undelegations: [], actions: [decodedAction(202)] },
    ],
    [
      'a commit and an undelegation with an action after it',
      concat(
        u32(11),
        some(concat(u32(0), bytesOf(2))),
        some(concat(u32(0), bytesOf(3, 4), u32(1), list(action(201)))),
        none,
        none,
        list(),
      ),
      { kind: 'bundle', commits: [2], undelegations: [3, 4], actions: [decodedAction(201)] },
    ],
    [
      'actions after a commit, in execution order',
      concat(
        u32(11),
        none,
        some(concat(u32(1), bytesOf(5), list(action(1)), u32(1), list(action(2)))),
        none,
        none,
        list(action(3)),
      ),
      {
        kind: 'bundle',
        commits: [],
        undelegations: [5],
        actions: [decodedAction(1), decodedAction(2), decodedAction(3)],
      },
    ],
    [
      'a task',
      concat(
        u32(6),
        u64(7n),
        u64(500n),
        u64(2n ** 63n - 1n),
        list(concat(addressBytes(program), list(concat(addressBytes(account), u8(0), u8(1))), bytesOf(203))),
      ),
      {
        kind: 'task',
        taskId: 7n,
        intervalMs: 500n,
        iterations: 2n ** 63n - 1n,
        instructions: [
          {
            programId: program,
            accounts: [{ address: account, signer: false, writable: true }],
            data: Uint8Array.of(203),
          },
        ],
      },
    ],
    ['the cancellation of a task', concat(u32(7), u64(2n ** 64n - 1n)), { kind: 'cancelTask', taskId: -1n }],
    ['an account creation', concat(u32(12), u32(104)), { kind: 'createAccount', dataBytes: 104 }],
    ['an account closing', u32(14), { kind: 'closeAccount' }],
    ['an undelegation', u32(2), { kind: 'undelegation' }],
    ['nothing', noop(5n).data, { kind: 'noop' }],
    [
      'a callback',
      concat(
        u32(23),
        u8(0),
        addressBytes(program),
        bytesOf(208),
        bytesOf(1, 2, 3),
        u32(120_000),
        list(concat(addressBytes(account), u8(1))),
      ),
      {
        kind: 'callback',
        actionIndex: 0,
        program,
        discriminator: Uint8Array.of(208),
        payload: Uint8Array.of(1, 2, 3),
        computeUnits: 120_000,
        accounts: [{ address: account, isWritable: true }],
      },
    ],
  ])('reads %s, and nothing when a byte is missing or left over', (_, data, expected) => {
    expect(decodeMagicCall(data)).toEqual(expected);
    expect(decodeMagicCall(data.subarray(0, -1))).toBeNull();
    expect(decodeMagicCall(concat(data, u8(0)))).toBeNull();
  });

  it.each<[string, Uint8Array]>([
    ['an unknown tag', u32(16)],
    ['no tag', new Uint8Array(0)],
    [
      'an unknown kind of commit',
      concat(u32(11), some(concat(u32(2), bytesOf(1))), none, none, none, list()),
    ],
    ['more actions than the bytes contain', concat(u32(11), none, none, none, none, u64(2n ** 63n))],
    ['an invalid option', concat(u32(11), u8(2), none, none, none, list())],
  ])('reads nothing from %s', (_, data) => {
    expect(decodeMagicCall(data)).toBeNull();
  });
});
