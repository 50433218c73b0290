import type { Block, TransactionRecord } from '../../ledger/ledger.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { addressFilledWith } from './transactions.ts';

/** Creates the record of a transaction that succeeded without effects. `parts` replaces members. */
export function recordOf(wire: Uint8Array, parts: Partial<TransactionRecord> = {}): TransactionRecord {
  return {
    err: null,
    fee: 5000n,
    preBalances: [],
    postBalances: [],
    preTokenBalances: [],
    postTokenBalances: [],
    innerInstructions: [],
    logs: [],
    loadedAddresses: { writable: [], readonly: [] },
    returnData: null,
    computeUnits: 150,
    loadedAccountsDataSize: 206,
    signature: encodeBase58(decodeTransaction(wire).signatures[0] as Uint8Array),
    slot: 4700,
    index: 3,
    blockTime: 1_750_000_000,
    wire,
    ...parts,
  };
}

/** Creates the block of a slot with these transactions. */
export function blockOf(slot: number, transactions: readonly TransactionRecord[] = []): Block {
  return {
    slot,
    parentSlot: slot - 1,
    blockHeight: slot,
    blockhash: addressFilledWith(slot % 256),
    previousBlockhash: addressFilledWith((slot - 1) % 256),
    blockTime: 1_750_000_000 + slot,
    transactions,
  };
}
