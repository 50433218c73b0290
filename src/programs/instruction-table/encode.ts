import type { Address } from '../../solana/address.ts';
import type { AccountMeta, Instruction } from '../../solana/instruction.ts';
import { concat, u32, u64, u8 } from '../instruction-data.ts';
import type { AccountSpec, FixedRole, Presence } from './account-spec.ts';
import { type FieldValues, writeFields } from './field-codec.ts';
import type { InstructionSpec, ProgramSpec } from './instruction-spec.ts';

/** The argument type of an account. Fixed accounts are not passed. */
type GivenAs<A, P extends Presence> =
  A extends AccountSpec<infer R, infer Q, infer G>
    ? Q extends P
      ? [Q, R] extends ['needed', FixedRole]
        ? never
        : G
      : never
    : never;

type Group<G> = G extends `${infer N}.${string}` ? N : never;
type Member<G, N extends string> = G extends `${N}.${infer M}` ? M : never;
type Ungrouped<G> = G extends `${string}.${string}` ? never : G;

type Accounts<A> = {
  readonly [N in Ungrouped<GivenAs<A, 'needed'>> & string]: Address;
} & {
  readonly [N in Group<GivenAs<A, 'needed'>>]: {
    readonly [M in Member<GivenAs<A, 'needed'>, N>]: Address;
  };
} & { readonly [N in GivenAs<A, 'optional'>]?: Address | null } & {
  readonly [N in GivenAs<A, 'free'>]: AccountMeta;
};

/** The accounts a caller passes. */
export type AccountsOf<S extends InstructionSpec> = Accounts<S['accounts'][number]>;

type ValuesOf<S extends InstructionSpec> = FieldValues<S['fields']>;

/**
 * Encodes a call to an instruction.
 *
 * @throws {RangeError} if a value does not fit its field.
 */
export function encode<S extends InstructionSpec>(
  spec: S,
  accounts: AccountsOf<NoInfer<S>>,
  ...[values]: keyof ValuesOf<S> extends never ? [] : [ValuesOf<S>]
): Instruction {
  const fields = values === undefined ? [] : writeFields(spec.fields, values);
  return {
    programId: spec.program.address,
    accounts: metasOf(spec, accounts as Given),
    data: concat(tagBytesOf(spec.program, spec.tag), ...fields),
  };
}

interface Given {
  readonly [name: string]: Address | AccountMeta | Given | null | undefined;
}

function metasOf({ accounts }: InstructionSpec, given: Given): AccountMeta[] {
  const metas: AccountMeta[] = [];
  for (const { signer, writable, presence, fixed, path } of accounts) {
    const account = fixed ?? accountAt(given, path);
    if (presence === 'free') metas.push(account as AccountMeta);
    // Optional accounts come last, so omitting one shifts no other.
    else if (presence === 'needed' || account != null) {
      metas.push({ address: account as Address, signer, writable });
    }
  }
  return metas;
}

function accountAt(given: Given, [name, member]: readonly string[]): Given[string] {
  const account = given[name as string];
  return member === undefined ? account : (account as Given)[member];
}

function tagBytesOf({ tagBytes }: ProgramSpec, tag: number): Uint8Array {
  switch (tagBytes) {
    case 0:
      return new Uint8Array();
    case 1:
      return u8(tag);
    case 4:
      return u32(tag);
    case 8:
      return u64(BigInt(tag));
  }
}
