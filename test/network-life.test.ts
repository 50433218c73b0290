import { expect, it, onTestFinished } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { playLifeWithCrash } from './network-life/life.ts';
import { reported } from './network-life/report.ts';
import { openNetworkStack } from './network-life/stack.ts';
import { IS_LONG } from './length.ts';

/** Chosen at will: it kills the stack while a payment is under way. Another seed kills at another step. */
const SEED = 2;

it.runIf(IS_LONG && LAYOUT_B_FOLDER !== null)(
  `every scenario on the networks' programs ends with exact balances after a kill (needs ${NO_LAYOUT_B})`,
  async () => {
    const stack = await openNetworkStack(LAYOUT_B_FOLDER ?? '', onTestFinished);
    const { report } = await reported(() => playLifeWithCrash(stack, SEED));
    expect(report).toMatch(/kill -9, \d+ ms after a transaction was sent/);
    expect(report.match(/^ {3}the vault of \w+: \d+ \(exact\)$/gm), report).toHaveLength(4);
  },
);
