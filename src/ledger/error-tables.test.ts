import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { INSTRUCTION_ERROR_NAMES, TRANSACTION_ERROR_NAMES } from './transaction-errors.ts';

/** The members of an enum of the engine, by number. They exist in its declarations only, not at run time. */
function engineEnum(name: string): string[] {
  const declarations = createRequire(import.meta.url).resolve('litesvm/dist/internal.d.ts');
  const source = readFileSync(declarations, 'utf8');
  const body = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(source)?.[1] ?? '';
  return [...body.matchAll(/(\w+) = (\d+)/g)].map(([, member, number], index) => {
    expect(Number(number)).toBe(index);
    return member as string;
  });
}

describe('the error tables', () => {
  it('name the transaction errors of the engine by its numbers', () => {
    expect(TRANSACTION_ERROR_NAMES).toEqual(engineEnum('TransactionErrorFieldless'));
    expect(TRANSACTION_ERROR_NAMES).toHaveLength(35);
  });

  it('name the instruction errors of the engine by its numbers', () => {
    expect(INSTRUCTION_ERROR_NAMES).toEqual(engineEnum('InstructionErrorFieldless'));
    expect(INSTRUCTION_ERROR_NAMES).toHaveLength(53);
  });
});
