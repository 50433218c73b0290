import type { Address } from '../../solana/address.ts';
import type { Layout } from '../ephemeral-token/layout.ts';
import type { AccountSpec } from './account-spec.ts';
import { type FieldMap, type Fields, readFields } from './field-codec.ts';

/** A program and the form of its instruction tags. */
export interface ProgramSpec {
  readonly address: Address;
  readonly name: string;
  /** Size of the little-endian tag at the start of the data, in bytes. */
  readonly tagBytes: 0 | 1 | 4 | 8;
  /** The tag that empty data implies. If absent, empty data is invalid. */
  readonly emptyTag?: number;
}

/** The entry of one instruction in a table. */
interface Entry {
  readonly tag: number;
  /** The name, if it differs from the entry's key. */
  readonly name?: string;
  /** The layout of the ephemeral SPL token program, if the layouts differ in this instruction. */
  readonly layout?: Layout;
  readonly accounts: readonly AccountSpec[];
  /** The role of any further accounts. If absent, further accounts are not allowed. */
  readonly more?: string;
  /** The fields after the tag; if absent, there are none. */
  readonly fields?: Fields;
  /** The names that Agave's `jsonParsed` gives accounts and fields; null for those it omits. */
  readonly shownAs?: Readonly<Record<string, string | null>>;
}

/** One instruction of a program: how to encode and match calls, and the names of their parts. */
export interface InstructionSpec<
  A extends readonly AccountSpec[] = readonly AccountSpec[],
  F extends Fields = Fields,
> extends Entry {
  readonly program: ProgramSpec;
  /** The name, camelCase and stable. */
  readonly name: string;
  readonly accounts: A;
  readonly fields: F;
}

type SpecOf<E extends Entry> = InstructionSpec<
  E['accounts'],
  E extends { fields: infer F extends Fields } ? F : Record<never, never>
>;

/** Builds the instruction specs of a program. An instruction without a name is named after its entry. */
export function instructionTable<const T extends Readonly<Record<string, Entry>>>(
  program: ProgramSpec,
  entries: T,
): { readonly [N in keyof T]: SpecOf<T[N]> } {
  const specs = Object.entries(entries).map(
    ([name, entry]) => [name, { fields: {}, name, ...entry, program }] as const,
  );
  return Object.fromEntries(specs) as { readonly [N in keyof T]: SpecOf<T[N]> };
}

interface MatchedInstruction<S extends InstructionSpec> {
  readonly spec: S;
  readonly fields: FieldMap;
}

/**
 * Finds the spec that a call of `program` matches, or null. The data must be exactly the tag and the fields,
 * and the number of accounts must match.
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
  // Several specs can share a tag: two layouts, or forms with and without optional parts. Lengths tell them
  // apart.
  for (const spec of specs) {
    if (BigInt(spec.tag) !== tag || !hasAccounts(spec, call.accounts.length)) continue;
    const fields = readFields(spec.fields, call.data, tagBytes);
    if (fields !== null) return { spec, fields };
  }
  return null;
}

/** Returns the minimum number of accounts in a call. */
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
