import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keypair } from '../../ledger/keypair.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import { EPHEMERAL_VAULT, MAGIC_CONTEXT, MAGIC_PROGRAM } from '../../programs/addresses.ts';
import { concat, u32, u64, u8 } from '../../programs/instruction-data.ts';
import { type AccountMeta, writable, writableSigner } from '../../solana/instruction.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { openScene, type RollupScene } from '../testing/rollup-scene.ts';
import { findMagicCallFault } from './magic-calls.ts';

let scene: RollupScene;
let alice: Keypair;
beforeAll(async () => {
  scene = await openScene(new CrashStores().open());
  alice = new Keypair(scene.random.bytes(32));
});
afterAll(() => scene.close());

const INVALID_DATA = { InstructionError: [0, 'InvalidInstructionData'] };
const UNSIGNED = { InstructionError: [0, 'MissingRequiredSignature'] };
const OF_NOBODY = { InstructionError: [0, 'IncorrectProgramId'] };

/** A task of one instruction. The bytes after its count are not read. */
const task = (intervalMs: bigint, iterations: bigint, instructionCount = 1n): Uint8Array =>
  concat(u32(6), u64(7n), u64(intervalMs), u64(iterations), u64(instructionCount));

const emptyBundle = concat(u32(11), ...Array(4).fill(u8(0)), u64(0n));

/**
 * The result of a transaction of Alice's with one instruction of the Magic program and these additional
 * accounts.
 */
async function sent(
  data: Uint8Array,
  accounts: readonly AccountMeta[] = [writable(MAGIC_CONTEXT)],
  ...others: readonly Keypair[]
): Promise<unknown> {
  const call = { programId: MAGIC_PROGRAM, accounts: [writableSigner(alice.address), ...accounts], data };
  const transaction = buildTransaction(scene.rollup, [alice, ...others], [call]);
  const simulated = scene.rollup.simulate(transaction, { verifySignatures: true, replaceBlockhash: false });
  const { err } = await scene.rollup.submit(transaction);
  expect(simulated.err).toEqual(err);
  return err;
}

describe('an instruction of the Magic program in a transaction of a wallet', () => {
  it.each<[string, Uint8Array]>([
    ['ScheduleCommit', u32(1)],
    ['ScheduleCommitAndUndelegate', u32(2)],
    ['an empty bundle of intents', emptyBundle],
    ['a task with 0 iterations', task(500n, 0n)],
    ['a task without an interval', task(0n, 1n)],
    ['a task with an interval of 2^32 - 1 ms', task(0xffff_ffffn, 1n)],
    ['a task that does nothing', task(500n, 1n, 0n)],
    ['the unused tag', u32(15)],
    ['an unknown tag', u32(26)],
    ['no tag', u8(1)],
  ])('is rejected as invalid instruction data: %s', async (_, data) => {
    expect(await sent(data)).toEqual(INVALID_DATA);
  });

  it.each([12, 13, 14])(
    'cannot create, resize or close an ephemeral account, which only a program can do: tag %i',
    async (tag) => {
      const account = new Keypair(scene.random.bytes(32));
      const accounts = [writableSigner(account.address), writable(EPHEMERAL_VAULT)];
      expect(await sent(concat(u32(tag), u32(8)), accounts, account)).toEqual(OF_NOBODY);
    },
  );

  it.each([0, 3, 4, 8, 9, 16, 22, 24, 25])('is reserved for the validator: tag %i', async (tag) => {
    expect(await sent(concat(u32(tag), u64(0n)))).toEqual(UNSIGNED);
  });

  it.each<[string, Uint8Array]>([
    ['Noop', concat(u32(10), u64(1n))],
    ['CancelTask', concat(u32(7), u64(1n))],
    ['a valid task', task(500n, 1n)],
  ])('is accepted if MagicBlock’s validator accepts it: %s', async (_, data) => {
    expect(await sent(data)).toBeNull();
  });
});

it('reports invalid data in calls by programs, and accepts their valid calls', () => {
  const faultOf = (data: Uint8Array) => {
    const call = { programIdIndex: 0, accounts: new Uint8Array(0), data, stackHeight: 2 };
    return findMagicCallFault({ innerInstructions: [{ index: 0, instructions: [call] }] }, [MAGIC_PROGRAM]);
  };
  expect([u32(99), emptyBundle, task(500n, 0n)].map(faultOf)).toEqual([
    INVALID_DATA,
    INVALID_DATA,
    INVALID_DATA,
  ]);
  expect([u32(1), u32(2), u32(12), task(500n, 1n)].map(faultOf)).toEqual(Array(4).fill(null));
});
