import type { Address } from '../../solana/address.ts';
import type { Layout } from '../ephemeral-token/layout.ts';
import type { AccountSpec } from './account-spec.ts';
import type { Fields } from './fields.ts';

/** A program and how it tells its instructions apart. */
export interface ProgramSpec {
  readonly address: Address;
  /** In words. */
  readonly name: string;
  /** Bytes of the number that data begin with, little-endian. */
  readonly tagBytes: 0 | 1 | 4 | 8;
  /** What a call without any data means, where it means something. */
  readonly emptyTag?: number;
}

/** What a table says of one instruction. */
interface Entry {
  readonly tag: number;
  /** Where it is not the entry's own. */
  readonly name?: string;
  /** The layout of the ephemeral SPL token program it belongs to, where the other one has another form of it. */
  readonly layout?: Layout;
  readonly accounts: readonly AccountSpec[];
  /** Role of any accounts after those; without it there may be none. */
  readonly more?: string;
  /** After the tag; without it there are none. */
  readonly fields?: Fields;
  /** Names that Agave's `jsonParsed` has for accounts and fields in place of these; null for what it does not show. */
  readonly shownAs?: Readonly<Record<string, string | null>>;
}

/** One instruction of a program: how its calls are written and recognised, and what their parts are called. */
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

/** The instructions of a program, one entry each. An entry is the instruction's name unless it says another. */
export function instructionTable<const T extends Readonly<Record<string, Entry>>>(
  program: ProgramSpec,
  entries: T,
): { readonly [N in keyof T]: SpecOf<T[N]> } {
  const specs = Object.entries(entries).map(
    ([name, entry]) => [name, { fields: {}, name, ...entry, program }] as const,
  );
  return Object.fromEntries(specs) as { readonly [N in keyof T]: SpecOf<T[N]> };
}
