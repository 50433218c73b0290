import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../ports/logger.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { addressOf } from '../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../solana/base58.ts';
import type { EmbeddedLedger } from './embedded-ledger.ts';
import { openLedger, type OpenLedgerOptions } from './open-ledger.ts';
import { MemoryStore } from './store/memory-store.ts';
import { HeldStore } from './testing/held-store.ts';
import { HandClock } from './testing/hand-clock.ts';
import { SeededRandom } from './testing/seeded-random.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { buildTransaction, openTestLedger } from './testing/test-ledger.ts';

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

describe.each(PLACES)('a ledger kept in %s', (_, makePlace) => {
  it('goes on after a restart where it was', async () => {
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
      holders: first.ledger.largestTokenAccounts(USDC_MINT, TOKEN_PROGRAM, 20),
    };
    await first.ledger.close();

    // No slots pass while nobody has it open.
    clock.pass(86_400_000);
    const { ledger } = await openTestLedger({ place: place(), clock, random: new SeededRandom('another') });
    expect(ledger.head().slot).toBe(before.head.slot + 1);
    expect(ledger.identity).toBe(before.identity);
    expect(ledger.genesisHash).toBe(before.genesisHash);
    expect(ledger.faucet).toBe(before.faucet);
    expect(ledger.getAccount(alice.address)).toEqual(before.alice);
    expect(ledger.getAccount(bob)?.lamports).toBe(1_000_000n);
    expect(ledger.largestTokenAccounts(USDC_MINT, TOKEN_PROGRAM, 20)).toEqual(before.holders);
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

  it('is another one where it is made anew', async () => {
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
  it('holds after a crash everything that was acknowledged, and goes on above every slot told', async () => {
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
      cpSync(folder, crashed, { recursive: true, filter: (file) => !file.endsWith('ledger.lock') });
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

  it('is refused to a second ledger until the first is closed', async () => {
    const place = { folder: temporaryFolder() };
    const { ledger } = await openTestLedger({ place });
    await expect(openTestLedger({ place })).rejects.toMatchObject({ code: 'LEDGER_FOLDER_IN_USE' });
    await ledger.close();
    await (await openTestLedger({ place })).ledger.close();
  });

  it('is let go of when opening fails', async () => {
    const place = { folder: temporaryFolder() };
    const genesis = {
      accounts() {
        throw new Error('no genesis');
      },
    };
    await expect(openTestLedger({ place, genesis })).rejects.toThrow('no genesis');
    await (await openTestLedger({ place })).ledger.close();
  });

  it('acknowledges many submissions made at once, all of them kept', async () => {
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

  it('is waited for by those who submit, and by nobody else', async () => {
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

  it('does not hide a transaction while it lasts', async () => {
    const { store, ledger, alice } = await open();
    store.held = [];
    const transaction = memo(ledger, alice, 'in flight');
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    const submission = ledger.submit(transaction);
    expect(store.record(signature)).toBeNull();
    const inFlight = ledger.getTransaction(signature);
    expect(inFlight).toMatchObject({ signature, err: null });
    store.held[0]?.();
    await submission;
    expect(ledger.getTransaction(signature)).toEqual(inFlight);
  });

  it('that fails is told to those who wait, and ends the taking of transactions', async () => {
    const { store, ledger, alice } = await open();
    store.failure = new Error('no space left on device');
    await expect(ledger.submit(memo(ledger, alice, 'lost'))).rejects.toThrow('no space left');
    store.failure = null;
    await expect(ledger.submit(memo(ledger, alice, 'after'))).rejects.toMatchObject({
      code: 'LEDGER_STOPPED',
    });
    await expect(ledger.airdrop(alice.address, 1n)).rejects.toMatchObject({ code: 'LEDGER_STOPPED' });
    // Reading and closing go on.
    expect(ledger.getAccount(alice.address)).not.toBeNull();
    await ledger.close();
  });
});

describe('close', () => {
  it('lets what is under way finish, takes nothing more, and may be called again', async () => {
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

  it('keeps the very slot it closed at', async () => {
    const store = new MemoryStore();
    const clock = new HandClock();
    const { ledger } = await openTestLedger({ place: { store }, clock });
    clock.pass(400 * 1_000);
    await ledger.close();
    expect(store.slotCeiling).toBe(1_512);
  });
});
