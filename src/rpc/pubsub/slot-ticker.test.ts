import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../ledger/store/memory-store.ts';
import type { Commit } from '../../ledger/store/store.ts';
import { accountOf } from '../../ledger/testing/make-account.ts';
import { silentLogger } from '../../ports/logger.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import { startPubSubNode } from './testing/pubsub-node.ts';

/** A store that is as slow as a test wants. */
class SlowStore extends MemoryStore {
  written: Promise<void> = Promise.resolve();

  override async commit(commit: Commit): Promise<void> {
    await this.written;
    await super.commit(commit);
  }

  /** Delays commits from now on until the returned function is called. */
  hold(): () => void {
    let release = (): void => {};
    this.written = new Promise((resolve) => (release = resolve));
    return release;
  }
}

async function start() {
  const store = new SlowStore();
  const node = await startPubSubNode({}, { place: { store } });
  const wallet = await node.fundedWallet();
  const client = await node.connect();
  await client.subscribe('slotSubscribe');
  await client.subscribe('accountSubscribe', wallet.address, { encoding: 'base64' });
  const methods = async (count: number): Promise<string[]> => {
    const told: string[] = [];
    while (told.length < count) told.push((await client.notified()).method);
    return told;
  };
  return { store, node, wallet, client, methods };
}

describe('the order of slots', () => {
  it('reports a slot after the transactions before it are durable and reported', async () => {
    const { store, node, wallet, client, methods } = await start();
    const release = store.hold();
    const landing = node.ledger.airdrop(wallet.address, 1n);
    node.passSlots(1);
    await client.expectSilence();
    release();
    await landing;
    node.timer.pass(node.ledger.slotMs);
    expect(await methods(2)).toEqual(['accountNotification', 'slotNotification']);
  });

  it('waits as long as it takes, because a reported block must not change', async () => {
    const { store, node, wallet, client, methods } = await start();
    const release = store.hold();
    const landing = node.ledger.airdrop(wallet.address, 1n);
    node.passSlots(3);
    await client.expectSilence();
    release();
    await landing;
    node.timer.pass(node.ledger.slotMs);
    expect(await methods(4)).toEqual(['accountNotification', ...Array(3).fill('slotNotification')]);
  });

  it('reports a slot as soon as a later event is reported', async () => {
    const { store, node, wallet, client, methods } = await start();
    const release = store.hold();
    const landing = node.ledger.airdrop(wallet.address, 1n);
    node.passSlots(1);
    const later = node.ledger.airdrop(wallet.address, 1n);
    await client.expectSilence();
    release();
    await Promise.all([landing, later]);
    expect(await methods(3)).toEqual(['accountNotification', 'slotNotification', 'accountNotification']);
  });

  it('is not delayed by transactions from before the first subscriber', async () => {
    const store = new SlowStore();
    const node = await startPubSubNode({}, { place: { store } });
    const release = store.hold();
    const landing = node.fundedWallet();
    const client = await node.connect();
    await client.subscribe('slotSubscribe');
    release();
    await landing;
    const { slot } = node.ledger.head();
    for (let passed = 1; passed <= 3; passed++) {
      node.passSlots(1);
      expect((await client.notified<{ slot: number }>()).result.slot).toBe(slot + passed);
    }
    await node.ledger.setAccounts([
      [addressOf(new Uint8Array(32).fill(3)), accountOf(SYSTEM_PROGRAM, new Uint8Array(0))],
    ]);
    node.passSlots(1);
    expect((await client.notified<{ slot: number }>()).result.slot).toBe(slot + 4);
  });
});

/** A store whose records cannot be read while it is damaged. */
class DamagedStore extends MemoryStore {
  isDamaged = false;

  override recordsOf(slot: number): ReturnType<MemoryStore['recordsOf']> {
    if (this.isDamaged) throw new Error('damaged');
    return super.recordsOf(slot);
  }
}

describe('a slot that cannot be reported', () => {
  it('is logged and skipped, and the next ones are reported', async () => {
    const messages: string[] = [];
    const logger = { ...silentLogger, error: (_fields: object, message: string) => messages.push(message) };
    const store = new DamagedStore();
    const node = await startPubSubNode({ logger }, { place: { store } });
    const client = await node.connect();
    await client.subscribe('slotSubscribe');
    await node.ledger.travelTo({ slot: node.ledger.head().slot + 10 });
    store.isDamaged = true;
    node.timer.pass(node.ledger.slotMs);
    store.isDamaged = false;
    await client.expectSilence();
    expect(messages).toEqual(['slot notification failed']);
    node.passSlots(1);
    const { slot } = node.ledger.head();
    expect((await client.notified()).result).toEqual({ slot, parent: slot - 1, root: slot - 1 });
  });
});
