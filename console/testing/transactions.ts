import type { ParsedInstruction, ParsedTransaction } from '../history/parsed-transaction.ts';
import { PROGRAMS } from '../parts/programs.ts';
import { encodeBase58 } from '../parts/encodings.ts';

/** An instruction that the node does not parse. */
export const called = (
  programId: string,
  data: readonly number[],
  accounts: readonly string[] = [],
): ParsedInstruction => ({ programId, data: encodeBase58(Uint8Array.from(data)), accounts });

/** An instruction of the ephemeral token program. */
export const ephemeral = (...data: readonly number[]): ParsedInstruction =>
  called(PROGRAMS.ephemeralToken, data);

/** A token transfer as nodes parse it. */
export const transfer = (
  source: string,
  destination: string,
  amount: string,
  mint?: string,
): ParsedInstruction => ({
  programId: PROGRAMS.token,
  parsed: {
    type: mint === undefined ? 'transfer' : 'transferChecked',
    info: { source, destination, ...(mint === undefined ? { amount } : { mint, tokenAmount: { amount } }) },
  },
});

/** The delegation program's commit of an eATA's balance. */
export function commit(eata: string, amount: bigint): ParsedInstruction {
  const data = new Uint8Array(29 + 72);
  const view = new DataView(data.buffer);
  view.setUint8(0, 1);
  view.setBigUint64(29 + 64, amount, true);
  return called(PROGRAMS.delegation, [...data], ['validator', eata]);
}

/** A landed transaction with inner instructions. */
export function landed(
  instructions: readonly ParsedInstruction[],
  {
    slot = 1,
    time = 100,
    signature = `signature at ${slot}`,
    payer = 'Alice',
    inner = [],
    error = null,
  }: {
    readonly slot?: number;
    readonly time?: number;
    readonly signature?: string;
    readonly payer?: string;
    readonly inner?: readonly ParsedInstruction[];
    readonly error?: unknown;
  } = {},
): ParsedTransaction {
  return {
    slot,
    blockTime: time,
    transaction: { signatures: [signature], message: { accountKeys: [{ pubkey: payer }], instructions } },
    meta: {
      err: error,
      fee: 5_000,
      computeUnitsConsumed: 350,
      innerInstructions: [{ index: 0, instructions: inner }],
    },
  };
}
