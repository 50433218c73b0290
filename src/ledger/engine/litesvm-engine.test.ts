import { beforeEach, describe, expect, it } from 'vitest';
import {
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  MEMO_PROGRAM,
  NOOP_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { type Instruction, readonly, writable } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { readProgramDump } from '../genesis/dumps.ts';
import { emptyProgram } from '../genesis/genesis.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { Keypair, signTransaction } from '../keypair.ts';
import { accountOf } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { LiteSvmEngine, mainnetFeatures } from './litesvm-engine.ts';

const random = new SeededRandom('engine');
const payer = new Keypair(random.bytes(32));
const blockhash = random.bytes(32);
const code = readProgramDump(NOOP_PROGRAM);
const wallet = (lamports: bigint): Account => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);

function build(...instructions: Instruction[]): Transaction {
  const message = compileLegacyMessage({ feePayer: payer.address, blockhash, instructions });
  return signTransaction(message, [payer]);
}

const call = (programId: Address, data: Uint8Array = new Uint8Array(0)): Transaction =>
  build({ programId, accounts: [], data });

let engine: LiteSvmEngine;
beforeEach(() => {
  engine = new LiteSvmEngine();
  engine.setAccount(payer.address, wallet(10n ** 10n));
});

describe('LiteSvmEngine', () => {
  it('has the programs and sysvars of the network, and no lamports', () => {
    const builtins = new Map(engine.builtinAccounts());
    for (const address of [SYSTEM_PROGRAM, TOKEN_PROGRAM, MEMO_PROGRAM, BPF_LOADER_UPGRADEABLE]) {
      expect(builtins.get(address)?.executable).toBe(true);
    }
    expect([...builtins.keys()].filter((address) => address.startsWith('Sysvar'))).toHaveLength(10);
    expect([...builtins.values()].filter((account) => account.owner === SYSTEM_PROGRAM)).toEqual([]);
    const fresh = new LiteSvmEngine();
    const lamports = [...fresh.builtinAccounts()].reduce((sum, [, account]) => sum + account.lamports, 0n);
    // Rent of programs and features: about ten SOL.
    expect(lamports).toBeLessThan(20n * 10n ** 9n);
  });

  it('returns its built-in accounts, regardless of what was set since', () => {
    const before = new Map(engine.builtinAccounts());
    const rent = before.get(RENT_SYSVAR) as Account;
    engine.setAccount(RENT_SYSVAR, { ...rent, lamports: rent.lamports + 1n });
    expect(new Map(engine.builtinAccounts())).toEqual(before);
    expect(new Map(new LiteSvmEngine().builtinAccounts())).toEqual(before);
  });

  it('lists the same built-in accounts if the caller loads them', () => {
    const bare = new LiteSvmEngine({ isBare: true });
    expect(new Map(bare.builtinAccounts())).toEqual(new Map(engine.builtinAccounts()));
  });

  it('has the same accounts with the features of mainnet as by default', () => {
    const told = new LiteSvmEngine({ features: mainnetFeatures() });
    expect(new Map(told.builtinAccounts())).toEqual(new Map(new LiteSvmEngine().builtinAccounts()));
  });

  it('runs a transaction and changes nothing by it', () => {
    const to = addressOf(random.bytes(32));
    const transaction = build(transferLamports(payer.address, to, 5_000_000n));
    for (let time = 0; time < 2; time++) {
      const run = engine.run(transaction, blockhash);
      expect(run.err).toBeNull();
      expect(run.accounts.map((account) => [addressOf(account.key), account.lamports])).toEqual([
        [payer.address, 10n ** 10n - 5_005_000n],
        [to, 5_000_000n],
      ]);
      expect(run.computeUnits).toBe(150);
      expect(run.logs).toHaveLength(2);
      expect(run.returnData).toBeNull();
      expect(run.innerInstructions).toEqual([]);
    }
  });

  it('returns the accounts of a run', () => {
    const to = addressOf(random.bytes(32));
    const [, account] = engine.run(
      build(transferLamports(payer.address, to, 5_000_000n)),
      blockhash,
    ).accounts;
    expect({
      lamports: account?.lamports,
      owner: account?.owner,
      data: account?.data,
      executable: account?.executable,
      rentEpoch: account?.rentEpoch,
    }).toEqual(wallet(5_000_000n));
  });

  it('reports errors with the logs before them', () => {
    const to = addressOf(random.bytes(32));
    const run = engine.run(build(transferLamports(payer.address, to, 10n ** 11n)), blockhash);
    expect(run.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(run.accounts).toEqual([]);
    expect(run.logs.at(-1)).toContain('failed: custom program error: 0x1');
  });

  it('does not truncate logs at its default of 10,000 bytes', () => {
    const memo = { programId: MEMO_PROGRAM, accounts: [], data: Buffer.from('a memo') };
    const { logs } = engine.run(build(...Array.from({ length: 60 }, () => memo)), blockhash);
    expect(logs.join('').length).toBeGreaterThan(10_000);
    expect(logs.filter((line) => line.includes('Memo (len 6)'))).toHaveLength(60);
  });

  it('runs on the blockhash of the call, not on that of the transaction', () => {
    const transaction = call(MEMO_PROGRAM);
    const before = Buffer.from(transaction.wire).toString('hex');
    expect(engine.run(transaction, random.bytes(32)).err).toBeNull();
    expect(Buffer.from(transaction.wire).toString('hex')).toBe(before);
  });

  it('distinguishes valid from invalid signatures with any blockhash', () => {
    const transaction = call(MEMO_PROGRAM, Uint8Array.of(65));
    expect(engine.hasValidSignatures(transaction)).toBe(true);
    const flip = (at: number): Transaction => {
      const wire = new Uint8Array(transaction.wire);
      wire[at] = (wire[at] as number) ^ 1;
      return { ...transaction, wire };
    };
    expect(engine.hasValidSignatures(flip(1))).toBe(false);
    expect(engine.hasValidSignatures(flip(64))).toBe(false);
    expect(engine.hasValidSignatures(flip(transaction.blockhashAt))).toBe(false);
    expect(engine.hasValidSignatures(transaction)).toBe(true);
  });

  it('removes accounts without lamports', () => {
    engine.setAccount(payer.address, wallet(0n));
    expect(engine.run(call(MEMO_PROGRAM), blockhash).err).toBe('AccountNotFound');
  });
});

describe('programs in the engine', () => {
  const program = addressOf(random.bytes(32));
  const deploy = (elf: Uint8Array): void => {
    for (const [address, account] of programAccounts(program, elf)) engine.setAccount(address, account);
  };

  it('run when they are upgradeable and when they are not', () => {
    deploy(code);
    expect(engine.run(call(program), blockhash).err).toBeNull();
    const other = addressOf(random.bytes(32));
    engine.setAccount(other, { ...accountOf(BPF_LOADER_2, code), executable: true });
    expect(engine.run(call(other), blockhash).err).toBeNull();
  });

  it('accept every call and do nothing when they are empty', () => {
    deploy(emptyProgram());
    for (const data of [new Uint8Array(0), Uint8Array.of(1, 2, 3)]) {
      const run = engine.run(
        build({ programId: program, accounts: [writable(payer.address), readonly(program)], data }),
        blockhash,
      );
      expect(run.err).toBeNull();
      expect(run.computeUnits).toBeLessThan(10n);
    }
  });

  it('cannot be called when their code does not load, and do not end the process', () => {
    const closed = { InstructionError: [0, 'UnsupportedProgramId'] };
    deploy(new Uint8Array(500).fill(7));
    expect(engine.run(call(program), blockhash).err).toEqual(closed);
    // Naming the account as writable is what ended the process when the engine wrote accounts itself.
    const touch = build(
      { programId: MEMO_PROGRAM, accounts: [], data: new Uint8Array(0) },
      {
        programId: NOOP_PROGRAM,
        accounts: [writable(program), readonly(payer.address)],
        data: new Uint8Array(0),
      },
    );
    for (const [address, account] of programAccounts(NOOP_PROGRAM, code)) engine.setAccount(address, account);
    const run = engine.run(touch, blockhash);
    expect(run.err).toBeNull();
    for (const account of run.accounts) engine.setAccount(addressOf(account.key), account);
    expect(engine.run(call(program), blockhash).err).toEqual(closed);
  });

  it('cannot be called when they are set before their ProgramData', () => {
    const [programData, pointer] = programAccounts(program, code) as [[Address, Account], [Address, Account]];
    engine.setAccount(...pointer);
    engine.setAccount(...programData);
    expect(engine.run(call(program), blockhash).err).toEqual({
      InstructionError: [0, 'UnsupportedProgramId'],
    });
    engine.setAccount(...pointer);
    expect(engine.run(call(program), blockhash).err).toBeNull();
  });

  it('cannot be removed', () => {
    deploy(code);
    expect(() => engine.setAccount(program, wallet(0n))).toThrow(program);
    expect(engine.run(call(program), blockhash).err).toBeNull();
  });
});
