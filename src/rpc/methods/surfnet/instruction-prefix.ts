import { compactU16Size, writeCompactU16 } from '../../../solana/compact-u16.ts';
import { addressBytes } from '../../../solana/address.ts';
import { SIGNATURE_BYTES } from '../../../solana/signature.ts';
import {
  decodeTransaction,
  type CompiledInstruction,
  type Transaction,
  type TransactionConfig,
} from '../../../solana/transaction.ts';

/** A transaction with only its first `count` instructions, but all its keys. Its signatures are invalid. */
export function withFirstInstructions(transaction: Transaction, count: number): Transaction {
  const { wire, version, blockhashAt, instructions, lookups } = transaction;
  const kept = instructions.slice(0, count);
  if (transaction.config !== null) return prefixOfV1(transaction, transaction.config, kept);
  const pieces = [wire.subarray(0, blockhashAt + 32), compact(kept.length)];
  for (const { programIdIndex, accounts, data } of kept) {
    pieces.push(Uint8Array.of(programIdIndex), ...counted(accounts), ...counted(data));
  }
  if (version === 0) {
    pieces.push(compact(lookups.length));
    for (const { table, writable, readonly } of lookups) {
      pieces.push(addressBytes(table), ...counted(writable), ...counted(readonly));
    }
  }
  return decodeTransaction(new Uint8Array(Buffer.concat(pieces)));
}

/** The counts lie behind the blockhash, and the signatures, here zeros, behind all. */
function prefixOfV1(
  { wire, keysAt, staticKeys, requiredSignatures }: Transaction,
  { priorityFee, computeUnitLimit, loadedAccountsDataSizeLimit, heapSize }: TransactionConfig,
  kept: readonly CompiledInstruction[],
): Transaction {
  const limits = [computeUnitLimit, loadedAccountsDataSizeLimit, heapSize].filter((limit) => limit !== null);
  const headsAt = keysAt + 32 * staticKeys.length + (priorityFee === null ? 0 : 8) + 4 * limits.length;
  const head = Uint8Array.from(wire.subarray(0, headsAt));
  head[keysAt - 2] = kept.length;
  const pieces = [
    head,
    ...kept.map(({ programIdIndex, accounts, data }) =>
      Uint8Array.of(programIdIndex, accounts.length, data.length & 0xff, data.length >> 8),
    ),
    ...kept.flatMap(({ accounts, data }) => [accounts, data]),
    new Uint8Array(requiredSignatures * SIGNATURE_BYTES),
  ];
  return decodeTransaction(new Uint8Array(Buffer.concat(pieces)));
}

const counted = (bytes: Uint8Array): readonly Uint8Array[] => [compact(bytes.length), bytes];

function compact(value: number): Uint8Array {
  const bytes = new Uint8Array(compactU16Size(value));
  writeCompactU16(bytes, 0, value);
  return bytes;
}
