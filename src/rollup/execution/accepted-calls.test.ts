import { describe, expect, it } from 'vitest';
import { Accounts } from '../../ledger/state/accounts.ts';
import { accountOf } from '../../ledger/testing/make-account.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  EPHEMERAL_VAULT,
  MAGIC_CONTEXT,
  MAGIC_PROGRAM,
  MEMO_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { concat, u32, u64, u8 } from '../../programs/instruction-data.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { BooksView } from '../books/books.ts';
import { itemEntry } from '../books/item.ts';
import { EPHEMERAL } from '../books/items.ts';
import { deriveProjection, Projections } from '../projection/projections.ts';
import { acceptCalls, type MagicProgramCall } from './magic-calls.ts';

const random = new SeededRandom('calls');
const key = (): Address => addressOf(random.bytes(32));
const signature = encodeBase58(random.bytes(64));
const [mint, owner, payer, program, validator, carrier] = [key(), key(), key(), key(), key(), key()];

const projectionOf = (holder: Address) => {
  const eata = { owner: holder, mint, amount: 5n };
  return deriveProjection(deriveEata(holder, mint).address, eata, TOKEN_PROGRAM);
};
const wallet = projectionOf(owner);
const vault = projectionOf(deriveVault(mint).address);
const queue = { address: key(), record: key() };
const ofQueue = projectionOf(queue.address);

/** A rollup with these accounts, and the effect of calls on its books. */
function rollup() {
  const accounts = new Accounts();
  const projections = new Projections();
  for (const projection of [wallet, vault, ofQueue]) projections.add(projection);
  projections.add(queue);
  projections.add({ address: carrier, record: key() });
  accounts.set(queue.address, accountOf(EPHEMERAL_TOKEN_PROGRAM, new Uint8Array(192)));
  accounts.set(carrier, accountOf(EPHEMERAL_TOKEN_PROGRAM, new Uint8Array(0)));
  const books = new BooksView(accounts);
  const take = (...calls: readonly Partial<MagicProgramCall>[]) =>
    acceptCalls(
      calls.map((call) => ({
        instructionIndex: 3,
        caller: EPHEMERAL_TOKEN_PROGRAM,
        accounts: [payer, MAGIC_CONTEXT],
        data: new Uint8Array(0),
        ...call,
      })),
      { accounts, projections, validator, signature },
    );
  /** Accepts calls and applies the result. */
  const keep = (...calls: readonly Partial<MagicProgramCall>[]) => {
    const taken = take(...calls);
    if ('err' in taken) throw new Error(JSON.stringify(taken.err));
    for (const [address, account] of taken.entries) accounts.set(address, account);
  };
  return { accounts, books, take, keep };
}

const list = (...items: readonly Uint8Array[]): Uint8Array => concat(u64(BigInt(items.length)), ...items);
const bytesOf = (...bytes: readonly number[]): Uint8Array =>
  concat(u64(BigInt(bytes.length)), Uint8Array.from(bytes));
const none = u8(0);
const action = concat(u8(0), bytesOf(202), u32(7), u8(0), addressBytes(program), list());
const payout = { data: concat(u32(11), none, none, none, none, list(action)) };
const commitOf = (index: number) => concat(u32(11), u8(1), u32(0), bytesOf(index), none, none, none, list());
const undelegationOf = (index: number) =>
  concat(u32(11), none, u8(1), u32(0), bytesOf(index), u32(0), none, none, list());
const callback = (actionIndex: number) =>
  concat(u32(23), u8(actionIndex), addressBytes(program), bytesOf(208), bytesOf(1), u32(9), list());
const task = (id: bigint, ...metas: readonly Uint8Array[]) =>
  concat(
    u32(6),
    u64(id),
    u64(500n),
    u64(10n),
    list(concat(addressBytes(EPHEMERAL_TOKEN_PROGRAM), list(...metas), bytesOf(203))),
  );
const meta = (address: Address, isSigner: boolean) =>
  concat(addressBytes(address), u8(isSigner ? 1 : 0), u8(1));
const named = (...addresses: readonly Address[]) => [payer, MAGIC_CONTEXT, ...addresses];

const refused = (fault: string) => ({ err: { InstructionError: [3, fault] } });

describe('acceptCalls()', () => {
  it('stores the work on base with the accounts it returns', () => {
    const { books, keep } = rollup();
    keep(
      payout,
      { accounts: named(wallet.ata), data: commitOf(2) },
      { accounts: named(carrier), data: undelegationOf(2) },
      { accounts: named(wallet.ata), data: undelegationOf(2) },
    );
    const common = {
      scheduledBy: signature,
      source: EPHEMERAL_TOKEN_PROGRAM,
      payer,
      callbacks: [],
      sent: null,
    };
    const escrow = { program, escrowIndex: 0, escrowAuthority: payer, computeUnits: 7, accounts: [] };
    expect(books.intents()).toEqual([
      { ...common, id: 1n, commits: [], lamports: [], actions: [{ ...escrow, data: Uint8Array.of(202) }] },
      {
        ...common,
        id: 2n,
        commits: [{ eata: wallet.eata, isUndelegation: false }],
        lamports: [],
        actions: [],
      },
      { ...common, id: 3n, commits: [], lamports: [carrier], actions: [] },
      {
        ...common,
        id: 4n,
        commits: [{ eata: wallet.eata, isUndelegation: true }],
        lamports: [],
        actions: [],
      },
    ]);
    expect([wallet.eata, carrier].map((each) => books.isGoingBack(each))).toEqual([true, true]);
  });

  it('adds a callback to the newest intent of its payer', () => {
    const { books, keep } = rollup();
    keep(payout, payout, { ...payout, accounts: [owner, MAGIC_CONTEXT] }, { data: callback(0) });
    expect(books.intents().map(({ callbacks }) => callbacks.length)).toEqual([0, 1, 0]);
  });

  it('stores one task per id, until its authority cancels it', () => {
    const { books, keep, take } = rollup();
    keep({ data: task(7n) });
    keep({ data: concat(u32(7), u64(7n)) }, { data: task(7n) });
    expect(books.tasks()).toMatchObject([
      { taskId: 7n, authority: payer, intervalMs: 500, iterationsLeft: 10n },
    ]);
    const stranger = { accounts: [owner, MAGIC_CONTEXT] };
    expect(take({ ...stranger, data: task(7n) })).toEqual(refused('IncorrectAuthority'));
    expect(take({ ...stranger, data: concat(u32(7), u64(7n)) })).toEqual(refused('IncorrectAuthority'));
    keep({ data: concat(u32(7), u64(7n)) });
    expect(books.tasks()).toEqual([]);
  });

  it('closes an ephemeral account only for its sponsor and its program', () => {
    const { accounts, books, keep, take } = rollup();
    const receipt = key();
    accounts.set(receipt, accountOf(EPHEMERAL_TOKEN_PROGRAM, new Uint8Array(104)));
    const known = { address: receipt, sponsor: payer, program: EPHEMERAL_TOKEN_PROGRAM, reader: owner };
    accounts.set(...itemEntry(EPHEMERAL, known));
    const closing = { accounts: [payer, receipt, EPHEMERAL_VAULT], data: u32(14) };
    expect(take({ ...closing, accounts: [owner, receipt] })).toEqual(refused('InvalidAccountOwner'));
    expect(take({ ...closing, accounts: [payer, queue.address] })).toEqual(refused('InvalidAccountOwner'));
    keep(closing);
    expect([accounts.get(receipt), books.ephemeralOf(receipt)]).toEqual([undefined, null]);
  });

  it.each<[string, Partial<MagicProgramCall>]>([
    ['the ATA of a vault', { accounts: named(vault.ata), data: commitOf(2) }],
    ['the ATA of a queue', { accounts: named(ofQueue.ata), data: undelegationOf(2) }],
    ['a queue', { accounts: named(queue.address), data: undelegationOf(2) }],
    ['accounts that are not delegated', { accounts: named(owner), data: commitOf(2) }],
  ])('does not commit accounts that others rely on: %s', (_, call) => {
    expect(rollup().take(call)).toEqual(refused('InvalidAccountOwner'));
  });

  it('returns nothing twice, in one run or in two', () => {
    const { keep, take } = rollup();
    const back = { accounts: named(wallet.ata), data: undelegationOf(2) };
    expect(take(back, back)).toEqual(refused('InvalidAccountOwner'));
    keep(back);
    expect(take(back)).toEqual(refused('InvalidAccountOwner'));
  });

  it.each<[string, Partial<MagicProgramCall>[], string]>([
    ['a callback without an intent', [{ data: callback(0) }], 'InvalidInstructionData'],
    [
      'a callback for an action that does not exist',
      [payout, { data: callback(1) }],
      'InvalidInstructionData',
    ],
    ['an index without an account', [{ data: commitOf(9) }], 'InvalidInstructionData'],
    [
      'a task that names the validator',
      [{ data: task(1n, meta(validator, false)) }],
      'InvalidInstructionData',
    ],
    ['a task that needs a signer', [{ data: task(1n, meta(owner, true)) }], 'InvalidInstructionData'],
    ['an unknown call', [{ data: u32(1) }], 'InvalidInstructionData'],
    ['an intent of another program', [{ ...payout, caller: MEMO_PROGRAM }], 'IncorrectProgramId'],
    ['a task of another program', [{ data: task(1n), caller: MEMO_PROGRAM }], 'IncorrectProgramId'],
    [
      'an account of another program',
      [{ data: concat(u32(12), u32(8)), caller: MEMO_PROGRAM }],
      'IncorrectProgramId',
    ],
  ])('rejects %s', (_, calls, fault) => {
    expect(rollup().take(...calls)).toEqual(refused(fault));
  });

  it('rejects a task that calls the Magic program itself', () => {
    const data = concat(
      u32(6),
      u64(1n),
      u64(500n),
      u64(10n),
      list(concat(addressBytes(MAGIC_PROGRAM), list(), bytesOf(16))),
    );
    expect(rollup().take({ data })).toEqual(refused('InvalidInstructionData'));
  });

  it('allows other programs to commit nothing', () => {
    const { take } = rollup();
    for (const data of [u32(1), u32(2)]) {
      expect(take({ data, caller: MEMO_PROGRAM })).toMatchObject({ entries: [], undelegations: [] });
    }
  });
});
