import { describe, expect, it } from 'vitest';
import { layoutOfAnswer } from './layout.ts';

describe('layoutOfAnswer', () => {
  it.each([
    [{ InstructionError: [0, { Custom: 0 }] }, 'a'],
    [{ InstructionError: [0, 'NotEnoughAccountKeys'] }, 'b'],
    [{ InstructionError: [0, { Custom: 1 }] }, null],
    [{ InstructionError: [0, null] }, null],
    ['AccountNotFound', null],
    [null, null],
    [undefined, null],
  ] as const)('maps %j to %j', (error, layout) => {
    expect(layoutOfAnswer(error)).toBe(layout);
  });
});
