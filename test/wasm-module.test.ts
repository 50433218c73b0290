import { describe, expect, it } from 'vitest';
import { SOURCES_SHA256, WASM_MODULE } from '../src/solana/wasm-module.ts';
import { compileModule, digestSources, hasCompiler, MISSING } from '../wasm/build.ts';

describe('the WebAssembly module', () => {
  it('was compiled from the current sources', () => {
    expect(SOURCES_SHA256, 'npm run wasm compiles it anew').toBe(digestSources());
  });

  it('matches a fresh compilation, to the byte', { timeout: 60_000 }, ({ skip }) => {
    if (!hasCompiler()) return skip(MISSING);
    expect(WASM_MODULE.replaceAll('\n', '')).toBe(compileModule().toString('base64'));
  });
});
