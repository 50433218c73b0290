import { RENT_EXEMPT_EPOCH, type Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Engine, EngineRun } from '../engine/engine.ts';
import { GONE } from './account-states.ts';

/**
 * The payer with the fee added to its lamports, so that programs see its real balance once the engine has
 * charged it. An absent payer is an empty wallet.
 */
export function lendFee(payer: Account | undefined, fee: bigint): Account {
  if (payer === undefined)
    return { ...GONE, owner: SYSTEM_PROGRAM, lamports: fee, rentEpoch: RENT_EXEMPT_EPOCH };
  return { ...payer, lamports: payer.lamports + fee };
}

/**
 * Runs a transaction without a fee on an engine that always charges: the payer holds the lent fee inside the
 * engine for the duration of the run. Everything is synchronous, so nothing else sees it.
 */
export function runForFree(
  engine: Engine,
  transaction: Transaction,
  blockhash: Uint8Array,
  addresses: readonly Address[],
  payer: { readonly address: Address; readonly account: Account | undefined; readonly lent: Account },
): EngineRun {
  engine.setAccount(payer.address, payer.lent);
  try {
    return engine.run(transaction, blockhash, addresses);
  } finally {
    // Also after an exception: the engine must not keep lamports that nobody has.
    engine.setAccount(payer.address, payer.account ?? GONE);
  }
}
