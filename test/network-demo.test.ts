import { describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { playDemo } from './play-demo.ts';

/** Chosen at will: it kills the stack while a payment is under way. Another seed kills at another step. */
const SEED = '2';

describe.skipIf(LAYOUT_B_FOLDER === null)(`the demo on the networks' programs (needs ${NO_LAYOUT_B})`, () => {
  it('ends exact, also when the stack is killed in the midst of it', async () => {
    const { code, output } = await playDemo('--programs', LAYOUT_B_FOLDER ?? '', '--seed', SEED);
    expect(code, output).toBe(0);
    expect(output).toMatch(/kill -9, \d+ ms after a transaction was sent/);
    expect(output.match(/^ {3}the vault of \w+: \d+ \(exact\)$/gm), output).toHaveLength(8);
    expect(output.trimEnd()).toContain('Every balance is exact.');
  }, 600_000);
});
