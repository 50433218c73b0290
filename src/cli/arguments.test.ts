import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';

describe('readArguments', () => {
  it.each([
    [[], { reset: false, help: false, version: false }],
    [['--reset'], { reset: true, help: false, version: false }],
    [['-r', '-h', '-v'], { reset: true, help: true, version: true }],
  ])('reads %j', (args, expected) => {
    expect(readArguments(args)).toEqual(expected);
  });

  it.each([[['--rset']], [['start']], [['--reset=yes']]])('refuses %j', (args) => {
    expect(() => readArguments(args)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});
