import { type Address, addressBytes } from '../../src/solana/address.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../src/solana/message.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import { compileV0Message, type LookupTable } from '../../src/solana/versioned-message.ts';
import { instructionsOf } from '../run-operation.ts';
import type { Offer } from './row.ts';

/** The parts of a legacy transaction. */
export interface Parts {
  readonly feePayer: Address;
  readonly blockhash: Uint8Array;
  readonly instructions: readonly Instruction[];
}

export const wireOf = ({ transactionBase64 }: Pick<Offer, 'transactionBase64'>): Uint8Array =>
  new Uint8Array(Buffer.from(transactionBase64, 'base64'));

export const base64Of = (wire: Uint8Array): string => Buffer.from(wire).toString('base64');

export function takeApart(offer: Pick<Offer, 'transactionBase64'>): Parts {
  const wire = wireOf(offer);
  const { staticKeys, blockhashAt } = decodeTransaction(wire);
  return {
    feePayer: staticKeys[0] as Address,
    blockhash: wire.subarray(blockhashAt, blockhashAt + 32),
    instructions: instructionsOf(offer.transactionBase64),
  };
}

export const putTogether = (parts: Parts): string =>
  base64Of(encodeUnsignedTransaction(compileLegacyMessage(parts)));

export const putTogetherV0 = (parts: Parts, table: LookupTable): string =>
  base64Of(encodeUnsignedTransaction(compileV0Message(parts, table)));

/** Rebuilds an offer with changed parts. */
export const rebuilt = <Kept extends Offer>(offer: Kept, change: (parts: Parts) => Partial<Parts>): Kept => {
  const parts = takeApart(offer);
  return { ...offer, transactionBase64: putTogether({ ...parts, ...change(parts) }) };
};

/** Changes the bytes of an offer. `change` edits them in place or returns new ones. */
export const rewired = <Kept extends Offer>(
  offer: Kept,
  change: (wire: Uint8Array) => Uint8Array | undefined,
): Kept => {
  const wire = wireOf(offer);
  return { ...offer, transactionBase64: base64Of(change(wire) ?? wire) };
};

/** Replaces the blockhash of an offer (32 bytes). */
export const onBlockhash = <Kept extends Offer>(offer: Kept, blockhash: Uint8Array): Kept =>
  rewired(offer, (wire) => {
    wire.set(blockhash, decodeTransaction(wire).blockhashAt);
    return wire;
  });

/** Replaces `found` with `put` in all accounts of instructions, with its rights. */
export const withAddress = (parts: Parts, found: Address, put: Address): Parts => ({
  ...parts,
  feePayer: parts.feePayer === found ? put : parts.feePayer,
  instructions: parts.instructions.map((instruction) => ({
    programId: instruction.programId === found ? put : instruction.programId,
    accounts: instruction.accounts.map((account) =>
      account.address === found ? { ...account, address: put } : account,
    ),
    data: instruction.data,
  })),
});

/** Replaces `found` with `put` in the data of all instructions. */
export const withAddressInData = (parts: Parts, found: Address, put: Address): Parts => ({
  ...parts,
  instructions: parts.instructions.map((instruction) => {
    const at = Buffer.from(instruction.data).indexOf(addressBytes(found));
    if (at < 0) return instruction;
    const data = Uint8Array.from(instruction.data);
    data.set(addressBytes(put), at);
    return { ...instruction, data };
  }),
});
