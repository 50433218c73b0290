import type { Address } from '../../solana/address.ts';
import type { Layout } from '../ephemeral-token/layout.ts';
import type { AccountSpec } from './account-spec.ts';
import type { Fields } from './fields.ts';

/** A program and the form of its instruction tags. */
export interface ProgramSpec {
  readonly address: Address;
  /** The name shown to people. */
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
  /**
   * The layout of the ephemeral SPL token program it belongs to, if the other layout has a different form.
   */
  readonly layout?: Layout;
  readonly accounts: readonly AccountSpec[];
  /** The role of any further accounts; if absent, there may be none. */
  readonly more?: string;
  /** The fields after the tag; if absent, there are none. */
  readonly fields?: Fields;
  /** The names in Agave's `jsonParsed` for accounts and fields; null for those it does not show. */
  readonly shownAs?: Readonly<Record<string, string | null>>;
}

/** One instruction of a program: how calls are encoded and recognised, and the names of their parts. */
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

/**
 * Builds the instruction specs of a program. An instruction is named after its entry unless the entry names
 * it.
 */
export function instructionTable<const T extends Readonly<Record<string, Entry>>>(
  program: ProgramSpec,
  entries: T,
): { readonly [N in keyof T]: SpecOf<T[N]> } {
  const specs = Object.entries(entries).map(
    ([name, entry]) => [name, { fields: {}, name, ...entry, program }] as const,
  );
  return Object.fromEntries(specs) as { readonly [N in keyof T]: SpecOf<T[N]> };
}
