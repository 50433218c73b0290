import { readFields, type FieldMap } from './fields.ts';
import type { InstructionSpec, ProgramSpec } from './instruction-spec.ts';

/** A recognised instruction. */
interface MatchedInstruction<S extends InstructionSpec> {
  readonly spec: S;
  readonly fields: FieldMap;
}

/**
 * Finds the instruction among `specs`, all of `program`, that a call matches; null if there is none. The data
 * must be exactly the tag and the fields, and the number of accounts must match.
 */
export function matchInstruction<S extends InstructionSpec>(
  program: ProgramSpec,
  specs: readonly S[],
  call: { readonly data: Uint8Array; readonly accounts: { readonly length: number } },
): MatchedInstruction<S> | null {
  const isEmpty = call.data.length === 0 && program.emptyTag !== undefined;
  const tagBytes = isEmpty ? 0 : program.tagBytes;
  const tag = isEmpty ? BigInt(program.emptyTag) : readTag(tagBytes, call.data);
  if (tag === null) return null;
  // A tag may have several specs: two layouts, or forms with and without optional parts. Lengths tell them
  // apart.
  for (const spec of specs) {
    if (BigInt(spec.tag) !== tag || !hasAccounts(spec, call.accounts.length)) continue;
    const fields = readFields(spec.fields, call.data, tagBytes);
    if (fields !== null) return { spec, fields };
  }
  return null;
}

/** Fewest accounts of a call. */
export const accountsMin = ({ accounts }: InstructionSpec): number =>
  accounts.filter(({ presence }) => presence !== 'optional').length;

function hasAccounts(spec: InstructionSpec, count: number): boolean {
  return count >= accountsMin(spec) && (spec.more !== undefined || count <= spec.accounts.length);
}

function readTag(byteCount: number, data: Uint8Array): bigint | null {
  if (data.length < byteCount) return null;
  let tag = 0n;
  for (let i = byteCount - 1; i >= 0; i--) tag = (tag << 8n) | BigInt(data[i] as number);
  return tag;
}
