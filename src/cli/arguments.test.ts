import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';

describe('readArguments', () => {
  it.each([
    [[], { command: 'serve', reset: false, help: false, version: false }],
    [['--reset'], { command: 'serve', reset: true, help: false, version: false }],
    [['-r', '-h', '-v'], { command: 'serve', reset: true, help: true, version: true }],
    [['mcp'], { command: 'mcp', reset: false, help: false, version: false }],
    [['--reset', 'mcp'], { command: 'mcp', reset: true, help: false, version: false }],
  ])('reads %j', (args, expected) => {
    expect(readArguments(args)).toEqual(expected);
  });

  it.each([[['--rset']], [['start']], [['--reset=yes']], [['mcp', 'now']], [['mcp', 'mcp']], [['']]])(
    'refuses %j',
    (args) => {
      expect(() => readArguments(args)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    },
  );
});
