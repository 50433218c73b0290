import { compactU16Size, writeCompactU16 } from '../../../solana/compact-u16.ts';
import { addressBytes } from '../../../solana/address.ts';
import { decodeTransaction, type Transaction } from '../../../solana/transaction.ts';

/** A transaction with only its first `count` instructions, but all its keys. Its signatures are invalid. */
export function withFirstInstructions(transaction: Transaction, count: number): Transaction {
  const { wire, version, blockhashAt, instructions, lookups } = transaction;
  const kept = instructions.slice(0, count);
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

const counted = (bytes: Uint8Array): readonly Uint8Array[] => [compact(bytes.length), bytes];

function compact(value: number): Uint8Array {
  const bytes = new Uint8Array(compactU16Size(value));
  writeCompactU16(bytes, 0, value);
  return bytes;
}
