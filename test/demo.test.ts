import { describe, expect, it } from 'vitest';
import { playDemo } from './play-demo.ts';

/**
 * The demo on the built program: the whole life of payments over HTTP, with wallets that know nothing of the
 * project.
 */

describe('the demo', () => {
  it('ends exact, three times over with the same wallets on the same ledger', async () => {
    const { code, output } = await playDemo('--rounds', '3');
    expect(code, output).toBe(0);
    expect(output).toContain('Round 3 of 3');
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
  ])('answers %j with one line of usage', async (args) => {
    const { code, output } = await playDemo(...args);
    expect(code).toBe(2);
    expect(output).toMatch(/^Usage: npm run demo .*\n$/);
  });
});
