import type { Address } from '../../../src/solana/address.ts';
import type { AccountMeta, Instruction } from '../../../src/solana/instruction.ts';
import type { Verdict } from '../row.ts';
import type { Kit } from '../world/kit.ts';

/** Instructions that were not requested, with the verdict on a transaction that contains them. */
export interface Extra {
  readonly name: string;
  readonly alone: readonly Verdict[];
  readonly make: (kit: Kit) => readonly Instruction[];
  readonly codes: readonly string[];
  /** The beneficiary. */
  readonly gains?: (kit: Kit) => Address;
}

export const instruction = (
  programId: Address,
  accounts: readonly AccountMeta[],
  ...data: readonly Uint8Array[]
): Instruction => ({ programId, accounts, data: new Uint8Array(Buffer.concat(data)) });

type Make = (kit: Kit) => Instruction | readonly Instruction[];

/** Creates a row of a table of extras. */
export const extra = (
  name: string,
  alone: readonly Verdict[],
  make: Make,
  { codes = [], gains }: { readonly codes?: readonly string[]; readonly gains?: Extra['gains'] } = {},
): Extra => ({
  name,
  alone,
  make: (kit) => [make(kit)].flat(),
  codes,
  ...(gains === undefined ? {} : { gains }),
});
