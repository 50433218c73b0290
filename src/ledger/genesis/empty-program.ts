const HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;
const SECTION_BYTES = 64;
const SECTIONS = 3;

/** `r0 = 0; exit` (sBPF version 0, eight bytes an instruction). */
const CODE = Uint8Array.of(0xb7, 0, 0, 0, 0, 0, 0, 0, 0x95, 0, 0, 0, 0, 0, 0, 0);
const NAMES = Buffer.from('\0.text\0.shstrtab\0');

const CODE_AT = HEADER_BYTES + SEGMENT_BYTES;
const NAMES_AT = CODE_AT + CODE.length;
/** Tables are aligned to eight bytes. */
const SECTIONS_AT = Math.ceil((NAMES_AT + NAMES.length) / 8) * 8;

/**
 * A program that takes every call and does nothing, as an ELF file that Solana's loaders load (ELF-64 object
 * file format, versions and flags as `solana-sbpf` checks them).
 */
export function emptyProgram(): Uint8Array {
  const bytes = Buffer.alloc(SECTIONS_AT + SECTIONS * SECTION_BYTES);
  // 64 bits, little endian, version 1.
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  // A shared object for BPF (247), with its entry point.
  bytes.writeUInt16LE(3, 16);
  bytes.writeUInt16LE(247, 18);
  bytes.writeUInt32LE(1, 20);
  writeU64s(bytes, 24, [CODE_AT, HEADER_BYTES, SECTIONS_AT]);
  writeU16s(bytes, 52, [HEADER_BYTES, SEGMENT_BYTES, 1, SECTION_BYTES, SECTIONS, SECTIONS - 1]);
  // The one segment, to be loaded: read and run.
  bytes.writeUInt32LE(1, HEADER_BYTES);
  bytes.writeUInt32LE(5, HEADER_BYTES + 4);
  writeU64s(bytes, HEADER_BYTES + 8, [CODE_AT, CODE_AT, CODE_AT, CODE.length, CODE.length, 0x1000]);
  bytes.set(CODE, CODE_AT);
  bytes.set(NAMES, NAMES_AT);
  // The first section is empty; then that of the code (allocated and run), and that of the names.
  writeSection(bytes, 1, { name: 1, type: 1, flags: 6, address: CODE_AT, at: CODE_AT, size: CODE.length });
  writeSection(bytes, 2, { name: 7, type: 3, flags: 0, address: 0, at: NAMES_AT, size: NAMES.length });
  return new Uint8Array(bytes);
}

interface Section {
  /** Where its name begins among the names. */
  readonly name: number;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly at: number;
  readonly size: number;
}

function writeSection(bytes: Buffer, index: number, { name, type, flags, address, at, size }: Section): void {
  const start = SECTIONS_AT + index * SECTION_BYTES;
  bytes.writeUInt32LE(name, start);
  bytes.writeUInt32LE(type, start + 4);
  writeU64s(bytes, start + 8, [flags, address, at, size]);
  writeU64s(bytes, start + 48, [index === 1 ? 8 : 1]);
}

function writeU64s(bytes: Buffer, at: number, values: readonly number[]): void {
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), at + index * 8);
}

function writeU16s(bytes: Buffer, at: number, values: readonly number[]): void {
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, at + index * 2);
}
