import { describe, expect, it } from 'vitest';
import { DELEGATION_PROGRAM, MEMO_PROGRAM, NOOP_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { readProgramDump } from '../genesis/local-dumps.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { Keypair, signTransaction } from '../keypair.ts';
import { GONE } from '../run/account-states.ts';
import { accountOf } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import type { Engine, EngineRun } from './engine.ts';
import { KeptEngine } from './kept-engine.ts';
import { KeptEngines } from './kept-engines.ts';
import { LiteSvmEngine } from './litesvm-engine.ts';

const random = new SeededRandom('kept engine');
const payer = new Keypair(random.bytes(32));
const blockhash = random.bytes(32);
const newAddress = (): Address => addressOf(random.bytes(32));
const wallet = (lamports: bigint): Account => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);
const RICH = wallet(10n ** 10n);
const CODES = [NOOP_PROGRAM, DELEGATION_PROGRAM].map((program) => readProgramDump(program));

const build = (...instructions: Instruction[]): Transaction =>
  signTransaction(compileLegacyMessage({ feePayer: payer.address, blockhash, instructions }), [payer]);
const call = (programId: Address): Transaction => build({ programId, accounts: [], data: new Uint8Array(0) });
const run = (engine: Engine, transaction: Transaction): EngineRun =>
  engine.run(transaction, blockhash, transaction.staticKeys);

function deploy(engine: Engine, program: Address, code: Uint8Array): void {
  for (const [address, account] of programAccounts(program, code)) engine.setAccount(address, account);
}

/** Counts how often an engine is made, and what is set in it. */
function countingEngines(): { make: () => Engine; readonly made: number; readonly set: Address[] } {
  const set: Address[] = [];
  let made = 0;
  return {
    set,
    get made() {
      return made;
    },
    make() {
      made++;
      const engine = new LiteSvmEngine();
      const setAccount = engine.setAccount.bind(engine);
      engine.setAccount = (address, account) => {
        set.push(address);
        setAccount(address, account);
      };
      return engine;
    },
  };
}

describe('KeptEngine', () => {
  it('has nothing that the bank before had and this one does not', () => {
    const engines = countingEngines();
    const first = new KeptEngine(engines.make);
    const [to, gone] = [newAddress(), newAddress()];
    first.setAccount(payer.address, RICH);
    first.setAccount(to, wallet(5n * 10n ** 9n));
    first.setAccount(gone, wallet(1n));
    first.setAccount(gone, GONE);
    const transaction = build(transferLamports(payer.address, to, 1_000_000n));
    expect(run(first, transaction).accounts[1]?.lamports).toBe(5_001_000_000n);

    const second = first.handOver();
    second.setAccount(payer.address, RICH);
    expect(run(second, transaction).accounts.map(({ lamports }) => lamports)).toEqual([
      10n ** 10n - 1_005_000n,
      1_000_000n,
    ]);
    expect(run(second.handOver(), transaction).err).toBe('AccountNotFound');
    expect(engines.made).toBe(1);
  });

  it('has again what it was created with', () => {
    const first = new KeptEngine(() => new LiteSvmEngine());
    const builtin = new Map(first.builtinAccounts());
    const clock = builtin.get(CLOCK_SYSVAR) as Account;
    first.setAccount(payer.address, RICH);
    first.setAccount(CLOCK_SYSVAR, { ...clock, lamports: 77n });
    const reader = build(transferLamports(payer.address, CLOCK_SYSVAR, 1n));
    const before = run(first, reader);
    const second = first.handOver();
    second.setAccount(payer.address, RICH);
    const fresh = new LiteSvmEngine();
    fresh.setAccount(payer.address, RICH);
    expect(run(second, reader).err).toEqual(fresh.run(reader, blockhash).err);
    expect(before.err).toEqual(run(second, reader).err);
    expect(new Map(second.builtinAccounts())).toEqual(builtin);
  });

  it('is not given again what both banks have, code above all', () => {
    const engines = countingEngines();
    const first = new KeptEngine(engines.make);
    const entries = [
      ...programAccounts(newAddress(), CODES[0] as Uint8Array),
      [payer.address, RICH] as const,
    ];
    for (const [address, account] of entries) first.setAccount(address, account);
    run(first, call(MEMO_PROGRAM));
    engines.set.length = 0;
    const second = first.handOver();
    for (const [address, account] of entries) second.setAccount(address, account);
    run(second, call(MEMO_PROGRAM));
    expect(engines).toMatchObject({ made: 1, set: [] });
  });

  it('runs the code of this bank where the one before had other code', () => {
    const program = newAddress();
    const [noop, other] = CODES as [Uint8Array, Uint8Array];
    const before = programAccounts(program, noop);
    const engine = new KeptEngine(() => new LiteSvmEngine());
    engine.setAccount(payer.address, RICH);
    for (const [address, account] of before) engine.setAccount(address, account);
    expect(run(engine, call(program)).err).toBeNull();
    // The program's own account stays the same when its code is replaced.
    const [[programData, code]] = programAccounts(program, other);
    engine.setAccount(programData, code);
    engine.setAccount(program, before[1][1]);
    expect(run(engine, call(program)).err).not.toBeNull();

    const next = engine.handOver();
    next.setAccount(payer.address, RICH);
    for (const [address, account] of before) next.setAccount(address, account);
    expect(run(next, call(program)).err).toBeNull();
  });

  it('does not run a program that only the bank before had', () => {
    const program = newAddress();
    const first = new KeptEngine(() => new LiteSvmEngine());
    first.setAccount(payer.address, RICH);
    deploy(first, program, CODES[0] as Uint8Array);
    expect(run(first, call(program)).err).toBeNull();
    const second = first.handOver();
    second.setAccount(payer.address, RICH);
    expect(run(second, call(MEMO_PROGRAM)).err).toBeNull();
    const fresh = new LiteSvmEngine();
    fresh.setAccount(payer.address, RICH);
    expect(run(second, call(program)).err).toEqual(run(fresh, call(program)).err);
    expect(run(second, call(program)).err).not.toBeNull();
    deploy(second, program, CODES[0] as Uint8Array);
    expect(run(second, call(program)).err).toBeNull();
  });

  it('runs nothing any more for who handed it over', () => {
    const first = new KeptEngine(() => new LiteSvmEngine());
    first.handOver();
    expect(() => run(first, call(MEMO_PROGRAM))).toThrow('handed over');
    expect(() => first.setAccount(payer.address, RICH)).toThrow('handed over');
  });

  it('answers as a new engine does, whatever the banks before did with it', () => {
    const programs = [newAddress(), newAddress()];
    const places = [payer.address, ...Array.from({ length: 4 }, newAddress)];
    const pick = <T>(from: readonly T[]): T => from[(random.bytes(1)[0] as number) % from.length] as T;
    const kept = programs.map((program) => CODES.map((code) => programAccounts(program, code)));
    const plain = [RICH, wallet(2_000_000n), wallet(10n ** 9n)];
    let engine = new KeptEngine(() => new LiteSvmEngine());
    for (let bank = 0; bank < 25; bank++) {
      const fresh = new LiteSvmEngine();
      const removable = new Set(places);
      for (let step = 0; step < 6; step++) {
        const entries = [
          [[payer.address, RICH]],
          [[pick(places), pick(plain)]],
          [[pick([...removable]), GONE]],
          pick(pick(kept)),
        ] as const satisfies readonly (readonly (readonly [Address, Account])[])[];
        for (const [address, account] of pick(entries)) {
          engine.setAccount(address, account);
          fresh.setAccount(address, account);
        }
        const transaction = pick([
          call(pick(programs)),
          call(MEMO_PROGRAM),
          build(transferLamports(payer.address, pick(places), 1_500_000n)),
        ]);
        const [ours, theirs] = [run(engine, transaction), fresh.run(transaction, blockhash)];
        expect(shown(ours), `bank ${bank}, step ${step}`).toEqual(shown(theirs));
      }
      engine = engine.handOver();
    }
  }, 60_000);
});

describe('KeptEngines', () => {
  it('gives an engine to whoever asks for the same one, and to one at a time', () => {
    const engines = new KeptEngines();
    const [one, other] = [engines.make({}), engines.make({})];
    one.setAccount(payer.address, RICH);
    expect(run(other, call(MEMO_PROGRAM)).err).toBe('AccountNotFound');
    engines.takeBack();
    const limited = engines.make({ limits: { computeUnits: 1 } });
    limited.setAccount(payer.address, RICH);
    expect(run(limited, call(MEMO_PROGRAM)).err).not.toBeNull();
    const next = engines.make({});
    expect(() => run(one, call(MEMO_PROGRAM))).toThrow('handed over');
    next.setAccount(payer.address, RICH);
    expect(run(next, call(MEMO_PROGRAM)).err).toBeNull();
  });
});

function shown({ accounts, ...rest }: EngineRun): object {
  return { ...rest, accounts: accounts.map(({ key, lamports }) => [addressOf(key), lamports]) };
}
