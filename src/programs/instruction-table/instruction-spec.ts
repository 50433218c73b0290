import type { Address } from '../../solana/address.ts';
import type { Layout } from '../ephemeral-token/layout.ts';
import type { AccountSpec } from './account-spec.ts';
import { type FieldMap, type Fields, readFields } from './field-codec.ts';

/** A program and the form of its instruction tags. */
export interface ProgramSpec {
  readonly address: Address;
  readonly name: string;
  /** Size of the little-endian tag at the start of the data, bytes. */
  readonly tagBytes: 0 | 1 | 4 | 8;
  /** The tag that empty data stands for, if it is valid. */
  readonly emptyTag?: number;
}

/** The entry of one instruction in a table. */
interface Entry {
  readonly tag: number;
  /** If it differs from the entry's key. */
  readonly name?: string;
  /** Its layout of the ephemeral SPL token program, if the other one has a different form. */
  readonly layout?: Layout;
  readonly accounts: readonly AccountSpec[];
  /** The role of any further accounts; if absent, there may be none. */
  readonly more?: string;
  /** The fields after the tag; if absent, there are none. */
  readonly fields?: Fields;
  /** The names in Agave's `jsonParsed` for accounts and fields; null for those it does not show. */
  readonly shownAs?: Readonly<Record<string, string | null>>;
}

/** One instruction of a program: how calls are encoded and recognized, and the names of their parts. */
export interface InstructionSpec<
  A extends readonly AccountSpec[] = readonly AccountSpec[],
  F extends Fields = Fields,
> extends Entry {
  readonly program: ProgramSpec;
  /** camelCase and stable. */
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
