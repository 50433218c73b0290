import { describe, expect, it } from 'vitest';
import { MapRollup } from '../../test/ports/map-chain.ts';
import { LiteSvmEngine } from '../ledger/engine/litesvm-engine.ts';
import { systemRandom } from '../ports/random.ts';
import { SYSTEM_PROGRAM } from '../programs/addresses.ts';
import type { Address } from '../solana/address.ts';
import { decodeTransaction, type Transaction } from '../solana/transaction.ts';
import { createThrowawaySender } from './service-keys.ts';

/** A rollup that keeps what it is sent. */
class TakingRollup extends MapRollup {
  readonly taken: Transaction[] = [];

  override sendTransaction(wire: Uint8Array): Promise<string> {
    this.taken.push(decodeTransaction(wire));
    return Promise.resolve('signature');
  }
}

describe('createThrowawaySender', () => {
  it('signs each transaction with its own key, on the newest blockhash', async () => {
    const rollup = new TakingRollup();
    const send = createThrowawaySender(systemRandom);
    const plan = (feePayer: Address) => [
      {
        programId: SYSTEM_PROGRAM,
        accounts: [{ address: feePayer, signer: true, writable: true }],
        data: new Uint8Array(),
      },
    ];
    await send(rollup, plan);
    await send(rollup, plan);
    const [first, second] = rollup.taken as [Transaction, Transaction];
    expect(first.staticKeys[0]).not.toBe(second.staticKeys[0]);
    const engine = new LiteSvmEngine();
    expect([first, second].map((transaction) => engine.hasValidSignatures(transaction))).toEqual([
      true,
      true,
    ]);
  });
});
