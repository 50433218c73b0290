import { describe, expect, it } from 'vitest';
import { BPF_LOADER_2, NOOP_PROGRAM, SYSTEM_PROGRAM, SYSVAR_OWNER } from '../../programs/addresses.ts';
import { FEATURE_PROGRAM } from '../../programs/feature.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { readProgramDump } from '../genesis/dumps.ts';
import { encodeProgram, programAccounts } from '../genesis/program-accounts.ts';
import { accountOf } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { dryRunAccounts } from './dry-run.ts';
import { deadlyProgram } from './testing/deadly-program.ts';

const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address;

describe('dryRunAccounts', () => {
  it('returns the programs whose code does not load, for any order of the accounts', () => {
    const good = programAccounts(at(7), readProgramDump(NOOP_PROGRAM)).toReversed();
    const bad = programAccounts(at(8), new Uint8Array(500).fill(7));
    expect(dryRunAccounts([...good, ...bad])).toEqual([at(8)]);
  });

  it('rejects a program of loader v4, which would end the process when it is called', () => {
    const good = programAccounts(at(7), readProgramDump(NOOP_PROGRAM));
    const dryRun = () =>
      dryRunAccounts([[at(9), deadlyProgram()], ...good], (address) => `--account ${address} prog.json`);
    expect(dryRun).toThrow(
      `--account ${at(9)} prog.json cannot be loaded: the engine rejects it (it belongs to loader v4, whose programs the engine cannot run)`,
    );
  });

  it('survives bad code', () => {
    const code = readProgramDump(NOOP_PROGRAM);
    const random = new SeededRandom('bad code');
    const entries = Array.from({ length: 40 }, (_, index) => {
      const bad = new Uint8Array(code);
      // Headers are where code is taken apart.
      bad.set(random.bytes(8), index * 5);
      return programAccounts(at(20 + index), bad);
    });
    expect(dryRunAccounts(entries.flat()).length).toBeGreaterThan(0);
  });

  it('names an account that the engine rejects', () => {
    const program = { ...accountOf(SYSTEM_PROGRAM, new Uint8Array(10)), executable: true };
    expect(() => dryRunAccounts([[at(9), program]])).toThrow(
      `${at(9)} cannot be loaded: the engine rejects it (it is executable, but its owner is not a loader)`,
    );
    const sysvar = accountOf(SYSVAR_OWNER, new Uint8Array(3));
    expect(() => dryRunAccounts([[RENT_SYSVAR, sysvar]])).toThrow(RENT_SYSVAR);
  });

  it('rejects a program as ProgramData (bug: the process aborted at the next call of that program)', () => {
    const bad = programAccounts(at(8), new Uint8Array(1));
    const pointer = { ...bad[1][1], data: encodeProgram(at(8)) };
    expect(() => dryRunAccounts([...bad, [at(9), pointer]])).toThrow(
      `${at(9)} cannot be loaded: the engine rejects it (its ProgramData account is itself a program)`,
    );
  });

  it('rejects a native program of another owner (bug: the process aborted)', () => {
    const system = { ...accountOf(FEATURE_PROGRAM, new Uint8Array(14)), executable: true };
    expect(() => dryRunAccounts([[SYSTEM_PROGRAM, system]])).toThrow('owner is not a loader');
  });

  it('frees the memory of its engines (bug: each run took 8 MB until a late garbage collection)', async () => {
    const before = process.memoryUsage.rss();
    let most = before;
    for (let run = 0; run < 80; run++) {
      dryRunAccounts([[at(9), accountOf(BPF_LOADER_2, new Uint8Array(3))]]);
      // Memory outside of V8 is freed between the turns of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, process.memoryUsage.rss());
    }
    expect(most - before).toBeLessThan(300 * 1024 * 1024);
  });

  it('skips accounts that the engine does not parse', () => {
    expect(dryRunAccounts([[at(1), accountOf(SYSTEM_PROGRAM, new Uint8Array(10))]])).toEqual([]);
  });
});
