import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import { FLAG_ENTRIES } from './flags.ts';
import { formatHelp } from './help.ts';

describe('--help', () => {
  const lines = formatHelp().split('\n');

  it('names every flag once, with its letter, values and variable', () => {
    for (const [name, { short, values = [], variable }] of FLAG_ENTRIES) {
      const head = [`--${name}`, ...values].join(' ');
      const found = lines.filter((line) => new RegExp(`^ {2}(-\\w,| {3}) ${head}( {2}|$)`).test(line));
      expect(found, name).toHaveLength(1);
      if (short !== undefined) expect(found[0]).toContain(`-${short}, `);
      if (variable !== undefined) expect(lines.join(' ')).toContain(`[${variable}]`);
    }
  });

  it('names every exit code', () => {
    for (const code of Object.values(EXIT_CODES))
      expect(lines).toContainEqual(expect.stringMatching(`^  ${code} `));
  });

  it('fits into 100 columns', () => {
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});
