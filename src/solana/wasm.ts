import { WASM_MODULE } from './wasm-module.ts';

/** What the module gives (`wasm/assembly/module.ts`). Places are addresses in its memory. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly preimage: Place;
  readonly point: Place;
  readonly bytes: Place;
  readonly text: Place;
  /** The bump of what is in `preimage`, with the address in `point`; -1 when it was not found out. */
  findBump(bumpAt: number): number;
  /** Whether `point` is on the curve: 1 for yes, -1 for no, 0 when it was not found out. */
  judgePoint(): number;
  /** Where in `text` the text of the last so many of `bytes` begins. It ends where `text` ends. */
  encodeBase58(byteCount: number): number;
}

interface Place {
  readonly value: number;
}

/** What is used of `WebAssembly`, which is missing where V8 may not compile (`node --jitless`). */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/**
 * The arithmetic that is too slow in JavaScript, null where there is no WebAssembly. It is compiled at once,
 * which takes 1 ms. Its memory never grows, so that views of it stay good.
 */
export const wasm: Exports | null = instantiate();

function instantiate(): Exports | null {
  const engine = (globalThis as { WebAssembly?: Engine }).WebAssembly;
  if (engine === undefined) return null;
  return new engine.Instance(new engine.Module(Buffer.from(WASM_MODULE, 'base64'))).exports as Exports;
}

/** So many bytes at a place in the module's memory; bytes of their own where there is no module. */
export function viewOf(place: Place | undefined, byteCount: number): Buffer {
  if (wasm === null || place === undefined) return Buffer.alloc(byteCount);
  return Buffer.from(wasm.memory.buffer, place.value, byteCount);
}
