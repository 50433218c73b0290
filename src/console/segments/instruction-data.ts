import { ALL_INSTRUCTIONS } from '../../programs/all-instructions.ts';
import type { FieldValue } from '../../programs/instruction-table/field-codec.ts';
import type { InstructionSpec } from '../../programs/instruction-table/instruction-spec.ts';
import { matchInstruction } from '../../programs/instruction-table/match-instruction.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/byte-reader.ts';
import { hex, type SegmentReader } from './segment.ts';

/** The instructions of each known program. */
const BY_PROGRAM = new Map<Address, InstructionSpec[]>();
for (const spec of ALL_INSTRUCTIONS) {
  const specs = BY_PROGRAM.get(spec.program.address) ?? [];
  specs.push(spec);
  BY_PROGRAM.set(spec.program.address, specs);
}

/** What a program is called; null for one that is not known. */
export function programName(program: Address): string | null {
  return BY_PROGRAM.get(program)?.[0]?.program.name ?? null;
}

/** The instruction that a call is; null for one that is not known. */
export function findInstruction(
  program: Address,
  call: { readonly data: Uint8Array; readonly accounts: { readonly length: number } },
): InstructionSpec | null {
  const specs = BY_PROGRAM.get(program);
  const [first] = specs ?? [];
  if (specs === undefined || first === undefined) return null;
  return matchInstruction(first.program, specs, call)?.spec ?? null;
}

/** Marks the data of an instruction: its tag and its fields, or all of it where it is not known. */
export function markData(reader: SegmentReader, data: Uint8Array, spec: InstructionSpec | null): void {
  if (spec === null) return void reader.markBytes('data', 'Data, not decoded', 2, data.length);
  const tagBytes = data.length === 0 ? 0 : spec.program.tagBytes;
  reader.markBytes('tag', `${spec.name}: which instruction it is`, 2, tagBytes);
  // A field may be all that is left of the data, whatever follows them.
  const fields = new ByteReader(data.subarray(tagBytes));
  for (const [name, codec] of Object.entries(spec.fields)) {
    // Optional fields are the last ones, so nothing can follow.
    if (codec.optional && fields.remaining === 0) break;
    const before = fields.offset;
    const value = shown(codec.read(fields));
    reader.mark(name, inWords(name), 2, () => {
      reader.take(fields.offset - before);
      return value;
    });
  }
}

function shown(value: FieldValue): string {
  return value instanceof Uint8Array ? hex(value) : String(value);
}

/** `clientRefId` as `Client ref id`. */
function inWords(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
