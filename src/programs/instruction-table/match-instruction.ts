import { readFields, type FieldMap } from './fields.ts';
import type { InstructionSpec, ProgramSpec } from './instruction-spec.ts';

/** An instruction that is recognised. */
interface MatchedInstruction<S extends InstructionSpec> {
  readonly spec: S;
  readonly fields: FieldMap;
}

/**
 * Which of `specs`, all of `program`, a call is; null when it is none. Its data have to be the tag and the fields to the last
 * byte, and its accounts as many as the instruction has.
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
  for (const spec of specs) {
    if (BigInt(spec.tag) !== tag || !hasAccounts(spec, call.accounts.length)) continue;
    const fields = readFields(spec.fields, call.data, tagBytes);
    if (fields !== null) return { spec, fields };
  }
  return null;
}

/** Fewest accounts a call names. */
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
