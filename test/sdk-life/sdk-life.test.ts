import { afterAll, beforeAll, describe, it } from 'vitest';
import { folderOfFile } from '../folders.ts';
import { startStack, type StackProcess } from '../stack-process.ts';
import { liveBySdk } from './life.ts';
import { rollupUrlOf } from './rollup-url.ts';
import { loadSdk, MISSING } from './sdk.ts';

// Private payments by MagicBlock's npm SDK 0.8.8 and web3.js 1 against the base ledger and the embedded
// rollup.

const libraries = loadSdk();
let stack: StackProcess | undefined;

beforeAll(async () => {
  if (libraries !== null) stack = await startStack(await folderOfFile());
});

afterAll(() => stack?.stop());

describe("with MagicBlock's SDK two wallets deposit, pay each other, undelegate and withdraw to the last base unit:", () => {
  it.for([
    { deposits: 'public deposits', isPrivate: false },
    { deposits: 'private deposits, which a stranger does not see', isPrivate: true },
  ])('$deposits', async ({ isPrivate }, { skip }) => {
    if (libraries === null || stack === undefined) return skip(MISSING);
    const lines: string[] = [];
    const urls = { ledgerUrl: stack.ledgerUrl, rollupUrl: rollupUrlOf(stack) };
    const tell = (line: string): void => void lines.push(line);
    await liveBySdk(libraries, { ...urls, isPrivate, rollupIs: 'embedded', tell });
  });
});
