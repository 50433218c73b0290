import { afterEach, describe, expect, it } from 'vitest';
import { bareGenesis } from '../ledger/genesis/genesis.ts';
import { createLookupTable } from '../ledger/testing/instructions.ts';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../ledger/testing/test-ledger.ts';
import { addMemo } from '../programs/memo.ts';
import { callMethod } from './testing/call-method.ts';

const SLOT_MS = 400;

let world: TestLedger;
afterEach(() => world.ledger.close());

async function ask<T>(method: string, ...params: readonly unknown[]): Promise<T> {
  const { result, error } = await callMethod(world.ledger, method, ...params);
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result as T;
}

describe('the slot getSlot returns at confirmed', () => {
  it('has a block that can be read, 1,000 of 1,000 times under load', async () => {
    world = await openTestLedger({ place: { folder: temporaryFolder() } });
    const { ledger, clock, random } = world;
    const wallet = await world.fundedWallet();
    const landing: Promise<unknown>[] = [];
    let last = 0;
    for (let time = 0; time < 1_000; time++) {
      landing.push(ledger.submit(buildTransaction(ledger, [wallet], [addMemo(`${time}`)])));
      clock.pass(random.integer(SLOT_MS));
      if (time % 100 === 99) await Promise.all(landing.splice(0));
      const slot = await ask<number>('getSlot', { commitment: 'confirmed' });
      const block = await ask<{ blockHeight: number; transactions: unknown[] }>('getBlock', slot);
      const whole = ledger.block(slot)?.transactions.length;
      expect([slot >= last, block.transactions.length]).toEqual([true, whole]);
      last = slot;
    }
    expect(last).toBeGreaterThan(900);
    await Promise.all(landing);
  });

  it('has a block from the very first slot on, and after skipped slots', async () => {
    world = await openTestLedger({ genesis: bareGenesis() });
    const { ledger } = world;
    const genesisSlot = await ask<number>('getSlot');
    expect(genesisSlot).toBe(ledger.head().slot - 1);
    expect(await ask('getBlock', genesisSlot)).toMatchObject({ blockHeight: genesisSlot, transactions: [] });
    await ledger.travelTo({ slot: 100_000 });
    expect(await ask('getSlot')).toBe(genesisSlot + 1);
    expect(await ask('getBlockHeight')).toBe(genesisSlot + 1);
    expect(await ask('getBlock', genesisSlot + 1)).toHaveProperty('blockHeight', genesisSlot + 1);
  });

  it('stays while slots are paused', async () => {
    world = await openTestLedger({ genesis: bareGenesis() });
    world.ledger.pauseClock();
    const slot = await ask<number>('getSlot');
    world.clock.pass(10 * SLOT_MS);
    expect(await ask('getSlot')).toBe(slot);
    expect(await ask('getBlock', slot)).toHaveProperty('blockHeight', slot);
  });
});

describe('createLookupTable with the slot getSlot returns at finalized', () => {
  it('simulates and lands, 12 of 12 times, at any moment of a slot', async () => {
    world = await openTestLedger({ genesis: bareGenesis() });
    const { ledger, clock } = world;
    const wallet = await world.fundedWallet();
    for (let time = 0; time < 12; time++) {
      const recentSlot = await ask<number>('getSlot', { commitment: 'finalized' });
      const { instruction } = createLookupTable(wallet.address, BigInt(recentSlot));
      const transaction = buildTransaction(ledger, [wallet], [instruction]);
      const text = Buffer.from(transaction.wire).toString('base64');
      const simulation = await ask('simulateTransaction', text, { encoding: 'base64' });
      expect(simulation).toHaveProperty('value.err', null);
      expect((await ledger.submit(transaction)).err).toBeNull();
      clock.pass(SLOT_MS + 37);
    }
  });
});
