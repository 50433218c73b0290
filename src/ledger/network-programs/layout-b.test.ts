import { describe, expect, it } from 'vitest';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { findMisfits, requireLayoutB } from './layout-b.ts';
import { NETWORK_PROGRAMS, type ProgramDumps } from './network-programs.ts';
import { LAYOUT_B_FOLDER, layoutBDumps, NO_LAYOUT_B } from './testing/layout-b-dumps.ts';
import { layoutADumps, rebuilt } from './testing/program-folder.ts';

const fileOf = (program: Address): string =>
  `/programs/${NETWORK_PROGRAMS.find(({ address }) => address === program)?.file}`;

/** The programs of layout B but for one, which is of layout A. */
const mixed = (old: Address): ProgramDumps =>
  new Map(
    [...layoutBDumps()].map(([program, code]) => [
      program,
      program === old ? (layoutADumps().get(old) ?? code) : code,
    ]),
  );

describe('requireLayoutB', () => {
  it('rejects the programs of layout A by name, and says that localnet already has them', () => {
    const check = () => requireLayoutB(layoutADumps(), fileOf);
    expect(check).toThrow(expect.objectContaining({ code: 'PROVISION_INVALID' }));
    for (const { file } of NETWORK_PROGRAMS) {
      expect(check).toThrow(`/programs/${file} is an older version: it has no`);
    }
    expect(check).toThrow('localnet has them already. Leave out --programs');
  });

  it('names a program whose code does not load', () => {
    const broken = new Map(layoutADumps());
    broken.set(
      DELEGATION_PROGRAM,
      new Uint8Array(Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(500, 7)])),
    );
    expect(() => requireLayoutB(broken, fileOf)).toThrow(
      '/programs/delegation.so cannot be called, because the engine cannot load its code; provide another build of the program',
    );
  });
});

describe.skipIf(LAYOUT_B_FOLDER === null)(`the programs of the networks (needs ${NO_LAYOUT_B})`, () => {
  it('are rejected if one is of another version', () => {
    expect(() => requireLayoutB(mixed(PERMISSION_PROGRAM), fileOf)).toThrow(
      'All three programs must be the versions that the networks run.',
    );
  });

  it('are accepted even with zeros after their code, as the networks have them', () => {
    expect(findMisfits(layoutBDumps())).toEqual([]);
    expect(findMisfits(rebuilt(layoutBDumps(), EPHEMERAL_TOKEN_PROGRAM))).toEqual([]);
  });

  it.each([EPHEMERAL_TOKEN_PROGRAM, DELEGATION_PROGRAM, PERMISSION_PROGRAM])(
    'are rejected if only %s is of layout A, and only that one is named',
    (old) => {
      const misfits = findMisfits(mixed(old));
      expect(new Set(misfits.map(({ program }) => program))).toEqual(new Set([old]));
    },
  );
});
