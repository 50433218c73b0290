import { describe, expect, it } from 'vitest';
import { ALL_INSTRUCTIONS } from '../../programs/all-instructions.ts';
import type { InstructionSpec } from '../../programs/instruction-table/instruction-spec.ts';
import { KNOWN_PROGRAMS } from './known-programs.ts';

/** The properties that distinguish the entries of a table. */
const entryOf = ({ program, name, layout, tag, accounts, fields }: InstructionSpec): string =>
  [program.name, name, layout ?? '', tag, accounts.length, ...Object.keys(fields)].join(' ');

describe('the known programs', () => {
  const explained = new Set([...KNOWN_PROGRAMS.values()].flatMap(({ forms }) => forms.map(entryOf)));

  it('have a meaning for every instruction of the tables', () => {
    expect(ALL_INSTRUCTIONS.map(entryOf).filter((entry) => !explained.has(entry))).toEqual([]);
  });

  it('have no other meanings', () => {
    const tabled = new Set(ALL_INSTRUCTIONS.map(entryOf));
    expect(tabled.size).toBe(ALL_INSTRUCTIONS.length);
    expect([...explained].filter((entry) => !tabled.has(entry))).toEqual([]);
  });
});
