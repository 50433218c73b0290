import type { Address } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import type { TransactionRecord } from '../execution.ts';
import type { HistoryReads } from '../ledger.ts';

/** How many records of an address's history are searched. */
const RECORDS_MAX = 100;

/** Whether an absent account existed here before and was closed by a transaction. */
export function existedHere(ledger: Pick<HistoryReads, 'signaturesFor'>, address: Address): boolean {
  return ledger.signaturesFor({ address, limit: RECORDS_MAX }).some((record) => hadLamports(record, address));
}

function hadLamports(record: TransactionRecord, address: Address): boolean {
  const { writable, readonly } = record.loadedAddresses;
  const keys = [...decodeTransaction(record.wire).staticKeys, ...writable, ...readonly];
  const index = keys.indexOf(address);
  return (record.preBalances[index] ?? 0n) > 0n || (record.postBalances[index] ?? 0n) > 0n;
}
