import { describe, expect, it } from 'vitest';
import { LOCALNET_VALIDATOR, NOOP_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { readAccountDump, readProgramDump } from './local-dumps.ts';

describe('the dumps of the validator package', () => {
  it('hold programs as ELF', () => {
    const code = readProgramDump(NOOP_PROGRAM);
    expect(Buffer.from(code.subarray(0, 4)).toString('latin1')).toBe('\x7fELF');
  });

  it('hold accounts', () => {
    expect(readAccountDump(LOCALNET_VALIDATOR)).toEqual({
      lamports: 10_107_081_258n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0xffff_ffff_ffff_ffffn,
    });
  });

  it('say what to do when one is missing', () => {
    let thrown: unknown;
    try {
      readProgramDump(SYSTEM_PROGRAM);
    } catch (error) {
      thrown = error;
    }
    expect(isServiceError(thrown, 'PROGRAM_BINARIES_MISSING')).toBe(true);
    expect((thrown as Error).message).toContain('npm ci');
  });
});
