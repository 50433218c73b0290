import { describe, expect, it } from 'vitest';
import { NOOP_PROGRAM, SYSTEM_PROGRAM, SYSVAR_OWNER } from '../../programs/addresses.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { readProgramDump } from '../genesis/dumps.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { accountOf } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { dryRunAccounts } from './dry-run.ts';
import { deadlyProgram } from './testing/deadly-program.ts';

const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address;

describe('dryRunAccounts', () => {
  it('lets good programs pass, whatever their order, and tells those whose code does not load', async () => {
    const good = programAccounts(at(7), readProgramDump(NOOP_PROGRAM)).toReversed();
    const bad = programAccounts(at(8), new Uint8Array(500).fill(7));
    expect(await dryRunAccounts([...good, ...bad])).toEqual({ uncallable: [at(8)] });
  });

  it('outlives an engine that dies of a program, and names the account', async () => {
    const good = programAccounts(at(7), readProgramDump(NOOP_PROGRAM));
    const dryRun = dryRunAccounts(
      [[at(9), deadlyProgram()], ...good],
      (address) => `--account ${address} prog.json`,
    );
    await expect(dryRun).rejects.toMatchObject({
      code: 'PROVISION_INVALID',
      message: `--account ${at(9)} prog.json cannot be loaded: the engine aborts on it`,
      context: { account: at(9) },
    });
  });

  it('outlives bad code at every step', async () => {
    const code = readProgramDump(NOOP_PROGRAM);
    const random = new SeededRandom('bad code');
    const entries = Array.from({ length: 12 }, (_, index) => {
      const bad = new Uint8Array(code);
      // Headers are where code is taken apart.
      bad.set(random.bytes(8), index * 5);
      return programAccounts(at(20 + index), bad);
    });
    const { uncallable } = await dryRunAccounts(entries.flat());
    expect(uncallable.length).toBeGreaterThan(0);
  });

  it('names what the engine refuses in words', async () => {
    const program = { ...accountOf(SYSTEM_PROGRAM, new Uint8Array(10)), executable: true };
    await expect(dryRunAccounts([[at(9), program]])).rejects.toMatchObject({
      code: 'PROVISION_INVALID',
      message: `${at(9)} cannot be loaded: the engine refuses it (Failed to set account: incorrect program id for instruction)`,
    });
    const sysvar = accountOf(SYSVAR_OWNER, new Uint8Array(3));
    await expect(dryRunAccounts([[RENT_SYSVAR, sysvar]])).rejects.toMatchObject({
      context: { account: RENT_SYSVAR },
    });
  });

  it('has one process at a time, however many ask at once', async () => {
    const count = () => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;
    const before = count();
    const counts: number[] = [];
    const dryRuns = [1, 2, 3].map(async (byte) => {
      await dryRunAccounts(programAccounts(at(byte), readProgramDump(NOOP_PROGRAM)));
      counts.push(count());
    });
    await new Promise(setImmediate);
    counts.push(count());
    await Promise.all(dryRuns);
    expect(counts).toHaveLength(4);
    expect(Math.max(...counts)).toBe(before + 1);
  });

  it('starts no process for accounts that no engine looks at', async () => {
    const processes = () => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap');
    const before = processes();
    const dryRun = dryRunAccounts([[at(1), accountOf(SYSTEM_PROGRAM, new Uint8Array(10))]]);
    expect(processes()).toEqual(before);
    expect(await dryRun).toEqual({ uncallable: [] });
  });
});
