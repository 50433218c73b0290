import { describe, expect, it } from 'vitest';
import type { Engine } from '../../ledger/engine/engine.ts';
import { readProgramDump } from '../../ledger/genesis/dumps.ts';
import { programAccounts } from '../../ledger/genesis/program-accounts.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { Accounts } from '../../ledger/state/accounts.ts';
import { accountOf } from '../../ledger/testing/make-account.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import { MEMO_PROGRAM, NOOP_PROGRAM, PERMISSION_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addMemo } from '../../programs/memo.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { openScene } from '../testing/rollup-scene.ts';
import { MirrorEngine } from './overlay.ts';

const address = addressOf(new Uint8Array(32).fill(3));
const wallet = (lamports: bigint): Account => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);

/** A mirror over an engine that only counts the accounts it gets. */
function mirrored() {
  const given: (readonly [Address, bigint])[] = [];
  const engine = {
    setAccount: (to: Address, { lamports }: Account) => given.push([to, lamports]),
  } as unknown as Engine;
  return { mirror: new MirrorEngine(engine), given, accounts: new Accounts() };
}

describe('MirrorEngine', () => {
  it('sets an account once, again if it is replaced, and removes it if it is deleted', () => {
    const { mirror, given, accounts } = mirrored();
    accounts.set(address, wallet(1n));
    mirror.refresh([address], accounts);
    mirror.refresh([address], accounts);
    accounts.set(address, wallet(2n));
    mirror.refresh([address], accounts);
    accounts.set(address, GONE);
    mirror.refresh([address], accounts);
    mirror.refresh([address], accounts);
    expect(given.map(([, lamports]) => lamports)).toEqual([1n, 2n, 0n]);
  });

  it('does not set an account that the engine already has', () => {
    const { mirror, given, accounts } = mirrored();
    const account = wallet(1n);
    accounts.set(address, account);
    mirror.noteAccount(address, account);
    mirror.refresh([address], accounts);
    expect(given).toEqual([]);
  });
});

describe('a program on base', () => {
  /** Whether a call of the program succeeds on the rollup. */
  async function callOf(scene: Awaited<ReturnType<typeof openScene>>, program: Address) {
    const payer = await scene.wallet();
    const call = { ...addMemo('call'), programId: program };
    const transaction = buildTransaction(scene.rollup, [payer], [call]);
    const options = { verifySignatures: true, replaceBlockhash: false };
    return scene.rollup.simulate(transaction, options).err;
  }

  it('runs on the rollup with its current code', async () => {
    const scene = await openScene(new CrashStores().open());
    const program = addressOf(new Uint8Array(32).fill(5));
    expect(await callOf(scene, program)).toBe('ProgramAccountNotFound');
    await scene.base.setAccounts(programAccounts(program, readProgramDump(NOOP_PROGRAM)));
    expect(await callOf(scene, program)).toBeNull();
    await scene.base.setAccounts(programAccounts(program, readProgramDump(PERMISSION_PROGRAM)));
    expect(await callOf(scene, program)).toMatchObject({ InstructionError: [0, expect.anything()] });
    await scene.base.setAccounts(programAccounts(program, readProgramDump(NOOP_PROGRAM)).slice(0, 1));
    expect(await callOf(scene, program)).toBeNull();
    expect(await callOf(scene, MEMO_PROGRAM)).toBeNull();
    await scene.close();
  });

  it('runs although it was deployed in a slot the rollup has not reached', async () => {
    const scene = await openScene(new CrashStores().open());
    const program = addressOf(new Uint8Array(32).fill(6));
    const [[programData, code], pointer] = programAccounts(program, readProgramDump(NOOP_PROGRAM)) as [
      [Address, Account],
      [Address, Account],
    ];
    const late = new Uint8Array(code.data);
    new DataView(late.buffer).setBigUint64(4, BigInt(scene.rollup.head().slot) + 1_000n, true);
    await scene.base.setAccounts([[programData, { ...code, data: late }], pointer]);
    expect(await callOf(scene, program)).toBeNull();
    await scene.close();
  });
});
