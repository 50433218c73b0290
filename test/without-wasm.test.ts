import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { addressOf } from '../src/solana/address.ts';
import { encodeBase58 } from '../src/solana/base58.ts';
import { findPda, isOnCurve } from '../src/solana/pda.ts';
import { assertProjectBuilt } from './built.ts';

const ours = { addressOf, encodeBase58, isOnCurve, findPda };

/** Addresses, tests of the curve and texts, all of small numbers. The other process has this by its text. */
function derive(modules: typeof ours): unknown[] {
  return Array.from({ length: 20 }, (_, i) => {
    const bytes = new Uint8Array(32);
    bytes[0] = i;
    const program = modules.addressOf(new Uint8Array(32).fill(i));
    const pda = modules.findPda([bytes, program, new Uint8Array(i)], program);
    return { pda, isPoint: modules.isOnCurve(bytes), text: modules.encodeBase58(bytes.subarray(0, i)) };
  });
}

const imports = ['address', 'base58', 'pda'].map(
  (name) => `...(await import('${new URL(`../dist/solana/${name}.js`, import.meta.url).href}'))`,
);
const SCRIPT = `
  const lines = (${derive.toString()})({ ${imports.join(', ')} });
  console.log(JSON.stringify({ hasWebAssembly: 'WebAssembly' in globalThis, lines }));
`;

describe('without the right to compile in V8', () => {
  it('addresses, points and texts are the same without WebAssembly', () => {
    assertProjectBuilt();
    const options = ['--jitless', '--input-type=module', '--eval', SCRIPT];
    const { stdout } = spawnSync(process.execPath, options, { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual({ hasWebAssembly: false, lines: derive(ours) });
  });
});
