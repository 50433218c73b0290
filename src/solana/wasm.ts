import { WASM_MODULE } from './wasm-module.ts';

/** Exports of the module (`wasm/assembly/module.ts`). Places are addresses in its memory. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly preimage: Place;
  readonly point: Place;
  readonly bytes: Place;
  readonly text: Place;
  /** Returns the bump for `preimage`, with the address in `point`; -1 if the module gives up. */
  findBump(bumpAt: number): number;
  /** Whether `point` is on the curve: 1 for yes, -1 for no, 0 if the module gives up. */
  judgePoint(): number;
  /** Encodes the last `byteCount` of `bytes` at the end of `text`. Returns the offset of the result. */
  encodeBase58(byteCount: number): number;
}

interface Place {
  readonly value: number;
}

/** The part of `WebAssembly` in use. It is missing if V8 may not compile (`node --jitless`). */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/**
 * Arithmetic that is too slow in JavaScript; null without WebAssembly. The module is compiled on import,
 * which takes 1 ms. Its memory never grows, so views of it stay valid.
 */
export const wasm: Exports | null = instantiate();

function instantiate(): Exports | null {
  const engine = (globalThis as { WebAssembly?: Engine }).WebAssembly;
  if (engine === undefined) return null;
  return new engine.Instance(new engine.Module(Buffer.from(WASM_MODULE, 'base64'))).exports as Exports;
}

/** Returns a view of bytes in the module's memory; a separate buffer without the module. */
export function viewOf(place: Place | undefined, byteCount: number): Buffer {
  if (wasm === null || place === undefined) return Buffer.alloc(byteCount);
  return Buffer.from(wasm.memory.buffer, place.value, byteCount);
}
