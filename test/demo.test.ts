import { describe, expect, it } from 'vitest';
import { readOptions } from '../demo/options.ts';
import { playDemo } from './play-demo.ts';

/**
 * The demo on the built program: the whole life of payments over HTTP, with wallets that know nothing of the
 * project.
 */

describe('the demo', () => {
  it('ends exact, and once more with the same wallets on the same ledger', async () => {
    const { code, output } = await playDemo('--rounds', '2');
    expect(code, output).toBe(0);
    expect(output).toContain('Round 2 of 2');
    expect(output.trimEnd()).toContain('Every balance is exact.');
  }, 600_000);

  it.each([
    [['--bogus']],
    [['--rounds']],
    [['--rounds', '0']],
    [['--rounds', 'abc']],
    [['--rounds', '1.5']],
    [['--programs']],
    [['--seed', '1']],
    [['--programs', 'x', '--rounds', '2']],
    [['--programs', 'x', '--seed', 'y']],
  ])('cannot tell what %j asks for', (args) => {
    expect(readOptions(args)).toBeNull();
  });

  it.each([
    [[], { rounds: 1, restarts: false, programs: undefined, seed: expect.any(Number) }],
    [['--rounds', '2', '--restarts'], expect.objectContaining({ rounds: 2, restarts: true })],
    [['--programs', 'x', '--seed', '7'], expect.objectContaining({ programs: 'x', seed: 7 })],
  ])('takes %j', (args, options) => {
    expect(readOptions(args)).toEqual(options);
  });

  it('answers what it cannot tell with one line of usage', async () => {
    const { code, output } = await playDemo('--bogus');
    expect(code).toBe(2);
    expect(output).toMatch(/^Usage: npm run demo .*\n$/);
  });
});
