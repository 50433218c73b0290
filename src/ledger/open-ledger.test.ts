import { cpSync } from 'node:fs';
import { setImmediate as settle } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../ports/logger.ts';
import { USDC_MINT } from '../programs/addresses.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { addressOf } from '../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../solana/base58.ts';
import type { Transaction } from '../solana/transaction.ts';
import type { EmbeddedLedger } from './embedded-ledger.ts';
import { openLedger, type OpenLedgerOptions } from './open-ledger.ts';
import { MemoryStore } from './store/memory-store.ts';
import type { Commit } from './store/store.ts';
import { HandClock } from './testing/hand-clock.ts';
import { HeldStore } from './testing/held-store.ts';
import { holdingsOf } from './testing/holdings-of.ts';
import { SeededRandom } from './testing/seeded-random.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { buildTransaction, emptyGenesis, openTestLedger } from './testing/test-ledger.ts';

/** Stores that can be opened again after the ledger on them was closed. */
const PLACES: [string, () => () => OpenLedgerOptions['place']][] = [
  [
    'a MemoryStore',
    () => {
      const store = new MemoryStore();
      return () => ({ store });
    },
  ],
  [
    'a folder',
    () => {
      const folder = temporaryFolder();
      return () => ({ folder });
    },
  ],
];

describe.each(PLACES)('a ledger stored in %s', (_, makePlace) => {
  it('continues after a restart', async () => {
    const place = makePlace();
    const first = await openTestLedger({ place: place() });
    const { clock, random } = first;
    const alice = await first.fundedWallet();
    await first.ledger.airdropTokens(alice.address, USDC_MINT, 5_000_000n);
    clock.pass(40_000);
    const bob = addressOf(random.bytes(32));
    const transaction = buildTransaction(
      first.ledger,
      [alice],
      [transferLamports(alice.address, bob, 1_000_000n)],
    );
    const { signature } = await first.ledger.submit(transaction);
    const record = first.ledger.getTransaction(signature);
    const before = {
      head: first.ledger.head(),
      identity: first.ledger.identity,
      genesisHash: first.ledger.genesisHash,
      faucet: first.ledger.faucet,
      alice: first.ledger.getAccount(alice.address),
      holders: holdingsOf(first.ledger, USDC_MINT),
    };
    await first.ledger.close();

    // No slots pass while the ledger is closed.
    clock.pass(86_400_000);
    const { ledger } = await openTestLedger({ place: place(), clock, random: new SeededRandom('another') });
    expect(ledger.head().slot).toBe(before.head.slot + 1);
    expect(ledger.identity).toBe(before.identity);
    expect(ledger.genesisHash).toBe(before.genesisHash);
    expect(ledger.faucet).toBe(before.faucet);
    expect(ledger.getAccount(alice.address)).toEqual(before.alice);
    expect(ledger.getAccount(bob)?.lamports).toBe(1_000_000n);
    expect(holdingsOf(ledger, USDC_MINT)).toEqual(before.holders);
    expect(ledger.getTransaction(signature)).toEqual(record);

    // The window of blockhashes and the memory for what has landed go on as well.
    expect(ledger.isBlockhashValid(before.head.blockhash)).toBe(true);
    expect((await ledger.submit(transaction)).err).toBe('AlreadyProcessed');
    const onOldHash = buildTransaction(
      ledger,
      [alice],
      [addMemo('after')],
      decodeBase58(before.head.blockhash),
    );
    expect((await ledger.submit(onOldHash)).err).toBeNull();
    await ledger.airdropTokens(alice.address, USDC_MINT, 1n);
    await ledger.close();
  });

  it('has another genesis hash if it is created again', async () => {
    const [a, b] = await Promise.all(
      ['a', 'b'].map((seed) => openTestLedger({ place: makePlace()(), random: new SeededRandom(seed) })),
    );
    const facts = [a, b]
      .map((world) => world?.ledger)
      .map((ledger) => [ledger?.identity, ledger?.genesisHash, ledger?.faucet, ledger?.head().blockhash]);
    for (let fact = 0; fact < 4; fact++) expect(facts[0]?.[fact]).not.toBe(facts[1]?.[fact]);
    await a?.ledger.close();
    await b?.ledger.close();
  });
});

describe('a ledger folder', () => {
  it('has every acknowledged transaction after a crash, and continues above every slot it showed', async () => {
    const folder = temporaryFolder();
    const { ledger, clock, random, fundedWallet } = await openTestLedger({ place: { folder } });
    const alice = await fundedWallet();
    for (let round = 0; round < 12; round++) {
      clock.pass(random.integer(60) * 400);
      const bob = addressOf(random.bytes(32));
      const pay = buildTransaction(ledger, [alice], [transferLamports(alice.address, bob, 1_000_000n)]);
      const { signature } = await ledger.submit(pay);
      const record = ledger.getTransaction(signature);
      const { slot } = ledger.head();

      const crashed = temporaryFolder();
      cpSync(folder, crashed, { recursive: true, filter: (file) => !file.endsWith('-lock') });
      const survivor = await openLedger({ place: { folder: crashed }, clock, random, logger: silentLogger });
      expect(survivor.getTransaction(signature)).toEqual(record);
      expect(survivor.getAccount(bob)?.lamports).toBe(1_000_000n);
      expect(survivor.getAccount(alice.address)).toEqual(ledger.getAccount(alice.address));
      expect(survivor.head().slot).toBeGreaterThan(slot);
      expect(survivor.head().slot).toBeLessThanOrEqual(slot + 65);
      expect((await survivor.submit(pay)).landed).toBe(false);
      await survivor.close();
    }
    await ledger.close();
  });

  it('is rejected for a second ledger until the first is closed', async () => {
    const place = { folder: temporaryFolder() };
    const { ledger } = await openTestLedger({ place });
    await expect(openTestLedger({ place })).rejects.toMatchObject({ code: 'LEDGER_FOLDER_IN_USE' });
    await ledger.close();
    await (await openTestLedger({ place })).ledger.close();
  });

  it('starts again with a reset, and keeps the old ledger if the reset fails', async () => {
    const place = { folder: temporaryFolder() };
    const first = await openTestLedger({ place });
    const { genesisHash } = first.ledger;
    await first.ledger.close();
    const genesis = {
      accounts() {
        throw new Error('no genesis');
      },
    };
    const random = new SeededRandom('anew');
    await expect(openTestLedger({ place: { ...place, reset: true }, genesis })).rejects.toThrow('no genesis');
    const again = await openTestLedger({ place });
    expect(again.ledger.genesisHash).toBe(genesisHash);
    await again.ledger.close();
    const anew = await openTestLedger({ place: { ...place, reset: true }, random });
    const { genesisHash: other } = anew.ledger;
    expect(other).not.toBe(genesisHash);
    await anew.ledger.close();
    const kept = await openTestLedger({ place });
    expect(kept.ledger.genesisHash).toBe(other);
    await kept.ledger.close();
  });

  it('is closed if opening fails', async () => {
    const place = { folder: temporaryFolder() };
    const genesis = {
      accounts() {
        throw new Error('no genesis');
      },
    };
    await expect(openTestLedger({ place, genesis })).rejects.toThrow('no genesis');
    await (await openTestLedger({ place })).ledger.close();
  });

  it('acknowledges many concurrent submissions and stores all of them', async () => {
    const place = { folder: temporaryFolder() };
    const first = await openTestLedger({ place });
    const alice = await first.fundedWallet();
    const transactions = Array.from({ length: 200 }, (_, index) =>
      buildTransaction(first.ledger, [alice], [addMemo(`payment ${index}`)]),
    );
    const submissions = await Promise.all(
      transactions.map((transaction) => first.ledger.submit(transaction)),
    );
    expect(submissions.every(({ landed }) => landed)).toBe(true);
    await first.ledger.close();
    const { ledger } = await openTestLedger({ place, clock: first.clock });
    expect(submissions.map(({ signature }) => ledger.getTransaction(signature)?.index)).toEqual(
      transactions.map((_, index) => index + 1),
    );
    await ledger.close();
  });
});

describe('writing', () => {
  const open = async () => {
    const store = new HeldStore();
    const world = await openTestLedger({ place: { store } });
    return { store, ...world, alice: await world.fundedWallet() };
  };
  const memo = (ledger: EmbeddedLedger, alice: Awaited<ReturnType<typeof open>>['alice'], text: string) =>
    buildTransaction(ledger, [alice], [addMemo(text)]);

  it('delays submitters only', async () => {
    const { store, ledger, alice } = await open();
    store.held = [];
    let acknowledged = false;
    const submission = ledger.submit(memo(ledger, alice, 'held')).then((result) => {
      acknowledged = true;
      return result;
    });
    const second = ledger.submit(memo(ledger, alice, 'held too'));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(acknowledged).toBe(false);
    expect(store.held).toHaveLength(2);
    // What ran shows at once.
    expect(ledger.getAccount(alice.address)?.lamports).toBe(10_000_000_000n - 10_000n);
    for (const letThrough of store.held) letThrough();
    const { signature } = await submission;
    expect(ledger.getTransaction(signature)?.index).toBe(1);
    expect((await second).landed).toBe(true);
  });

  it('shows a transaction in history only once it is durable', async () => {
    const { store, ledger, alice } = await open();
    store.held = [];
    const transaction = memo(ledger, alice, 'in flight');
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    const { slot } = ledger.head();
    const submission = ledger.submit(transaction);
    expect(ledger.getTransaction(signature)).toBeNull();
    expect(ledger.block(slot)?.transactions).toHaveLength(1);
    expect((await ledger.submit(transaction)).err).toBe('AlreadyProcessed');
    store.held[0]?.();
    await submission;
    expect(ledger.getTransaction(signature)).toMatchObject({ signature, err: null });
    expect(ledger.block(slot)?.transactions).toHaveLength(2);
  });

  it('keeps a slot unfinished while one of its transactions is being written', async () => {
    const { store, ledger, alice, clock } = await open();
    expect(ledger.finishedSlot()).toBe(511);
    store.held = [];
    const submission = ledger.submit(memo(ledger, alice, 'in 512'));
    clock.pass(800);
    expect([ledger.head().slot, ledger.finishedSlot()]).toEqual([514, 511]);
    store.held[0]?.();
    await submission;
    expect(ledger.finishedSlot()).toBe(513);
  });

  it('that fails ends all reads of the current state, which is ahead of the disk', async () => {
    const { store, ledger, alice } = await open();
    const [lost, after] = ['lost', 'after'].map((text) => memo(ledger, alice, text)) as [
      Transaction,
      Transaction,
    ];
    store.failure = new Error('no space left on device');
    await expect(ledger.submit(lost)).rejects.toThrow('no space left');
    store.failure = null;
    const stopped = expect.objectContaining({ code: 'LEDGER_STOPPED' });
    await expect(ledger.submit(after)).rejects.toEqual(stopped);
    await expect(ledger.airdrop(alice.address, 1n)).rejects.toEqual(stopped);
    expect(ledger.isRunning).toBe(false);
    const signature = encodeBase58(lost.signatures[0] as Uint8Array);
    for (const read of [
      () => ledger.head(),
      () => ledger.getAccount(alice.address),
      () => ledger.state(),
      () => ledger.simulate(after, { verifySignatures: false, replaceBlockhash: true }),
      () => ledger.getTransaction(signature),
      () => ledger.block(512),
      () => ledger.finishedSlot(),
    ]) {
      expect(read).toThrow(stopped);
    }
    expect(ledger.transactionCount()).toBe(1);
    await ledger.close();
    expect(() => ledger.head()).toThrow(stopped);
  });

  it('that fails in the store after an acknowledgement stops the ledger immediately', async () => {
    const { store, ledger, alice } = await open();
    const transaction = memo(ledger, alice, 'never tried');
    store.isWritable = false;
    expect(ledger.isRunning).toBe(false);
    await expect(ledger.submit(transaction)).rejects.toMatchObject({ code: 'LEDGER_STOPPED' });
    expect(() => ledger.head()).toThrow();
    await ledger.close();
  });
});

/** A store that takes a moment for each write, as a disk does. */
class LateStore extends MemoryStore {
  override async commit(commit: Commit): Promise<void> {
    await settle();
    await super.commit(commit);
  }
}

describe('the current slot', () => {
  /**
   * The slots shown after the clock has passed a number of slots while nothing can be written, and the
   * slot at which a ledger resumes if it is killed then.
   */
  const tellAndKill = async (slots: number) => {
    const store = new HeldStore();
    const { ledger, clock } = await openTestLedger({ place: { store }, genesis: emptyGenesis });
    store.held = [];
    clock.pass(slots * 400);
    const told = ledger.head();
    const place = { store: store.copy() };
    const { ledger: survivor } = await openTestLedger({ place, clock, genesis: emptyGenesis });
    return { store, ledger, told, survivor };
  };

  it.each([1, 63, 64, 65, 1_000, 1_000_000])(
    'is never above the slot a crash would resume at, %i slots after the last read',
    async (slots) => {
      const { store, ledger, told, survivor } = await tellAndKill(slots);
      expect(told.slot).toBe(512 + Math.min(slots, 64));
      const found = survivor.head();
      expect(found.slot).toBeGreaterThan(told.slot);
      expect(found.blockHeight).toBeGreaterThan(told.blockHeight);
      expect(survivor.isBlockhashValid(told.blockhash)).toBe(true);
      // The slots of the clock exist once the store knows them.
      for (const letThrough of store.held ?? []) letThrough();
      await settle();
      expect(ledger.head().slot).toBe(512 + slots);
    },
  );

  it('is that of the clock after a long idle time', async () => {
    const looks: { readonly delayMs: number; readonly run: () => void }[] = [];
    const timer = {
      after(delayMs: number, run: () => void) {
        looks.push({ delayMs, run });
        return () => looks.splice(0);
      },
    };
    const place = { store: new LateStore() };
    const { ledger, clock } = await openTestLedger({ place, timer, genesis: emptyGenesis });
    for (let look = looks.shift(), count = 0; count < 200; count++, look = looks.shift()) {
      clock.pass(look?.delayMs ?? 0);
      look?.run();
      await settle();
    }
    clock.pass(15 * 400);
    expect(ledger.head().slot).toBe(512 + 200 * 16 + 15);
    await ledger.close();
    expect(looks).toEqual([]);
  });

  it('is that of a jump when the jump is durable, and no other one meanwhile', async () => {
    const store = new HeldStore();
    const { ledger, clock } = await openTestLedger({ place: { store }, genesis: emptyGenesis });
    store.held = [];
    const travel = ledger.travelTo({ slot: 9_000 });
    const second = ledger.travelTo({ slot: 9_500 });
    clock.pass(4_000);
    expect(ledger.head().slot).toBe(512);
    store.held[0]?.();
    await travel;
    expect(ledger.head().slot).toBe(9_000);
    await store.untilHeld(2);
    for (const letThrough of store.held) letThrough();
    await second;
    expect(ledger.slotsWithBlocks(511, 10_000, 9)).toEqual([511, 512, 9_000, 9_500]);
  });

  it('is stored if the ledger is closed during a jump', async () => {
    const store = new HeldStore();
    const { ledger, clock } = await openTestLedger({ place: { store }, genesis: emptyGenesis });
    store.held = [];
    const travel = ledger.travelTo({ slot: 9_000 });
    const closing = ledger.close();
    for (const letThrough of store.held) letThrough();
    store.held = null;
    await Promise.all([travel, closing]);
    const { ledger: again } = await openTestLedger({ place: { store }, clock, genesis: emptyGenesis });
    expect(again.head()).toMatchObject({ slot: 9_001, blockHeight: 514 });
  });
});

describe('close', () => {
  it('waits for pending transactions, accepts no more, and can be called twice', async () => {
    const store = new HeldStore();
    const { ledger, fundedWallet } = await openTestLedger({ place: { store } });
    const alice = await fundedWallet();
    const pending = ledger.submit(buildTransaction(ledger, [alice], [addMemo('last')]));
    const closing = ledger.close();
    await expect(ledger.submit(buildTransaction(ledger, [alice], [addMemo('late')]))).rejects.toMatchObject({
      code: 'LEDGER_STOPPED',
    });
    await expect(ledger.setAccounts([])).rejects.toMatchObject({ code: 'LEDGER_STOPPED' });
    expect((await pending).landed).toBe(true);
    await closing;
    await ledger.close();
  });

  it('stores the exact slot at which it closed', async () => {
    const store = new MemoryStore();
    const clock = new HandClock();
    const { ledger } = await openTestLedger({ place: { store }, clock });
    clock.pass(400 * 1_000);
    await ledger.close();
    expect(store.slotCeiling).toBe(1_512);
  });
});
