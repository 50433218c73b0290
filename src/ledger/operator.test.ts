import { beforeEach, describe, expect, it } from 'vitest';
import {
  BPF_LOADER_2,
  MEMO_PROGRAM,
  NOOP_PROGRAM,
  SYSTEM_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { CLOCK_SYSVAR } from '../programs/sysvars.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import { readProgramDump } from './genesis/dumps.ts';
import { programAccounts } from './genesis/program-accounts.ts';
import type { Keypair } from './keypair.ts';
import type { LedgerListener } from './ledger-events.ts';
import { MemoryStore } from './store/memory-store.ts';
import { buildV0 } from './testing/build-v0.ts';
import { HeldStore } from './testing/held-store.ts';
import { lookupTable } from './testing/lookup-table.ts';
import { accountOf } from './testing/make-account.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

const UNCHECKED = { verifySignatures: false, replaceBlockhash: false };
const wallet = (lamports: bigint) => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);

let store: HeldStore;
let world: TestLedger;
let alice: Keypair;
let bob: Address;
beforeEach(async () => {
  store = new HeldStore();
  world = await openTestLedger({ place: { store } });
  alice = await world.fundedWallet();
  bob = addressOf(world.random.bytes(32));
});

const memo = (text: string, blockhash?: string) =>
  buildTransaction(
    world.ledger,
    [alice],
    [addMemo(text)],
    ...(blockhash === undefined ? [] : [decodeBase58(blockhash)]),
  );
const passSlots = (count: number): void => world.clock.pass(count * 400);
const clock = (): { slot: bigint; time: bigint } => {
  const data = Buffer.from(world.ledger.getAccount(CLOCK_SYSVAR)?.data ?? []);
  return { slot: data.readBigUInt64LE(0), time: data.readBigInt64LE(32) };
};
const reopen = async (): Promise<TestLedger['ledger']> => {
  await world.ledger.close();
  return (await openTestLedger({ place: { store }, clock: world.clock })).ledger;
};

describe('setAccounts', () => {
  it('sets accounts for reads, for programs and for the next start', async () => {
    await world.ledger.setAccounts([[alice.address, wallet(77n * 10n ** 9n)]]);
    expect(world.ledger.getAccount(alice.address)).toEqual(wallet(77n * 10n ** 9n));
    const pay = buildTransaction(
      world.ledger,
      [alice],
      [transferLamports(alice.address, bob, 70n * 10n ** 9n)],
    );
    expect((await world.ledger.submit(pay)).err).toBeNull();
    await world.ledger.setAccounts([[bob, wallet(0n)]]);
    expect(world.ledger.getAccount(bob)).toBeNull();
    const ledger = await reopen();
    expect(ledger.getAccount(bob)).toBeNull();
    expect(ledger.getAccount(alice.address)?.lamports).toBe(7n * 10n ** 9n - 5_000n);
  });

  it('changes nothing when one of the accounts cannot be set', async () => {
    const before = world.ledger.totalLamports();
    const setting = world.ledger.setAccounts([
      [bob, wallet(5n)],
      [CLOCK_SYSVAR, wallet(5n)],
    ]);
    await expect(setting).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(world.ledger.getAccount(bob)).toBeNull();
    expect(world.ledger.totalLamports()).toBe(before);
  });

  it('stops at a program whose code the engine rejects, and reports it', async () => {
    const program = addressOf(world.random.bytes(32));
    const setting = world.ledger.setAccounts([
      [bob, wallet(5n)],
      [program, { ...accountOf(BPF_LOADER_2, new Uint8Array(500)), executable: true }],
      [alice.address, wallet(5n)],
    ]);
    await expect(setting).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: expect.stringContaining(program),
    });
    // Those before it are in place, also after a restart.
    expect(world.ledger.getAccount(bob)?.lamports).toBe(5n);
    expect(world.ledger.getAccount(program)).toBeNull();
    const ledger = await reopen();
    expect(ledger.getAccount(bob)?.lamports).toBe(5n);
    expect(ledger.getAccount(program)).toBeNull();
  });

  it('sets programs that can be called', async () => {
    const program = addressOf(world.random.bytes(32));
    await world.ledger.setAccounts(programAccounts(program, readProgramDump(NOOP_PROGRAM)));
    const call = buildTransaction(
      world.ledger,
      [alice],
      [{ programId: program, accounts: [], data: Uint8Array.of(1) }],
    );
    expect((await world.ledger.submit(call)).err).toBeNull();
  });

  it('never interrupts a transaction: both are done when their calls return', async () => {
    store.held = [];
    // A fork fetches what a transaction names, sets it, and runs the transaction, with others doing the same.
    const total = 10n ** 9n;
    const setting = world.ledger.setAccounts([[bob, wallet(total)]]);
    expect(world.ledger.getAccount(bob)?.lamports).toBe(total);
    const submission = world.ledger.submit(
      buildTransaction(world.ledger, [alice], [transferLamports(alice.address, bob, 7n)]),
    );
    expect(world.ledger.getAccount(bob)?.lamports).toBe(total + 7n);
    const again = world.ledger.setAccounts([[bob, wallet(1n)]]);
    expect(world.ledger.getAccount(bob)?.lamports).toBe(1n);
    for (const letThrough of store.held) letThrough();
    await Promise.all([setting, again]);
    const record = world.ledger.getTransaction((await submission).signature);
    expect([record?.preBalances[1], record?.postBalances[1]]).toEqual([total, total + 7n]);
    // The store received them in the same order.
    store.held = null;
    expect((await reopen()).getAccount(bob)?.lamports).toBe(1n);
  });
});

describe('travelTo', () => {
  it('jumps, is visible to programs, and keeps old blockhashes valid because no blocks passed', async () => {
    const before = world.ledger.head();
    await world.ledger.travelTo({ slot: 1_000_000 });
    const { slot, blockHeight, lastValidBlockHeight } = world.ledger.head();
    expect([slot, blockHeight, lastValidBlockHeight]).toEqual([1_000_000, before.blockHeight + 1, 663]);
    expect(clock()).toEqual({
      slot: 1_000_000n,
      time: BigInt(Math.floor((world.clock.now() + (1_000_000 - 512) * 400) / 1_000)),
    });
    expect(world.ledger.isBlockhashValid(before.blockhash)).toBe(true);
    expect((await world.ledger.submit(memo('old hash', before.blockhash))).err).toBeNull();
    passSlots(149);
    expect(world.ledger.isBlockhashValid(before.blockhash)).toBe(true);
    passSlots(1);
    expect(world.ledger.isBlockhashValid(before.blockhash)).toBe(false);
  });

  it.each([20, 365 * 86_400])(
    'moves %i s ahead of the clock and stays there, also after a restart',
    async (seconds) => {
      const later = world.clock.now() + seconds * 1_000;
      await world.ledger.travelTo({ slot: 600, unixMs: later });
      passSlots(5);
      expect(clock()).toEqual({ slot: 605n, time: BigInt(later / 1_000 + 2) });
      await world.ledger.close();
      world.clock.pass(86_400_000);
      world = await openTestLedger({ place: { store }, clock: world.clock });
      expect(clock()).toEqual({ slot: 606n, time: BigInt(later / 1_000 + 2 + 86_400) });
      passSlots(5);
      expect(clock()).toEqual({ slot: 611n, time: BigInt(later / 1_000 + 4 + 86_400) });
      const crashed = await openTestLedger({ place: { store: store.copy() }, clock: world.clock });
      // A crash costs slots, during which the time does not advance.
      crashed.clock.pass(65 * 400);
      world = crashed;
      expect(clock().time).toBe(BigInt(later / 1_000 + 4 + 86_400 + 26));
    },
  );

  it('leaves the skipped slots without blocks', async () => {
    passSlots(10);
    world.ledger.head();
    await world.ledger.travelTo({ slot: 9_000 });
    passSlots(2);
    const { ledger } = world;
    expect(ledger.slotsWithBlocks(520, 10_000, 100)).toEqual([520, 521, 522, 9_000, 9_001, 9_002]);
    expect([ledger.block(523), ledger.block(8_999)]).toEqual([null, null]);
    expect(ledger.block(9_000)).toMatchObject({
      slot: 9_000,
      parentSlot: 522,
      blockHeight: 523,
      previousBlockhash: ledger.block(522)?.blockhash,
    });
    const block = ledger.block(9_000);
    expect((await reopen()).block(9_000)).toEqual(block);
  });

  it('still recognizes landed messages, also after a restart', async () => {
    const transaction = memo('once');
    await world.ledger.submit(transaction);
    await world.ledger.travelTo({ slot: 1_000_000 });
    expect((await world.ledger.submit(transaction)).err).toBe('AlreadyProcessed');
    const ledger = await reopen();
    expect((await ledger.submit(transaction)).err).toBe('AlreadyProcessed');
  });

  it('keeps a recently deactivated lookup table usable, as the engine does', async () => {
    const table = addressOf(world.random.bytes(32));
    const deactivated = BigInt(world.ledger.head().slot);
    await world.ledger.setAccounts([[table, lookupTable([bob], { deactivated })]]);
    const use = () =>
      buildV0({
        payer: alice,
        keys: [MEMO_PROGRAM],
        readonlyCount: 1,
        blockhash: decodeBase58(world.ledger.head().blockhash),
        instructions: [{ program: 1, accounts: [], data: Buffer.from('memo') }],
        lookups: [{ table, writable: [0], readonly: [] }],
      });
    await world.ledger.travelTo({ slot: 1_000_000 });
    expect(world.ledger.simulate(use(), UNCHECKED).err).toBeNull();
    passSlots(511);
    expect(world.ledger.simulate(use(), UNCHECKED).err).toBeNull();
    passSlots(1);
    expect(() => world.ledger.simulate(use(), UNCHECKED)).toThrow('AddressLookupTableNotFound');
  });

  it('never goes back', async () => {
    await expect(world.ledger.travelTo({ slot: 512 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    await expect(world.ledger.travelTo({ slot: 600, unixMs: 1 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    });
    expect(world.ledger.head().slot).toBe(512);
  });

  it('survives a crash right after it', async () => {
    await world.ledger.travelTo({ slot: 5_000 });
    const survivor = await openTestLedger({ place: { store: store.copy() }, clock: world.clock });
    const { slot, blockHeight } = survivor.ledger.head();
    expect(slot).toBeGreaterThan(5_000);
    expect(slot).toBeLessThanOrEqual(5_065);
    expect(blockHeight).toBe(513 + slot - 5_000);
    expect(survivor.ledger.block(4_999)).toBeNull();
  });
});

describe('the clock', () => {
  it('stops while it is paused, and continues from there', async () => {
    passSlots(3);
    world.ledger.head();
    world.ledger.pauseClock();
    expect(world.ledger.isClockPaused).toBe(true);
    passSlots(1_000);
    expect(world.ledger.head().slot).toBe(515);
    expect((await world.ledger.submit(memo('while paused'))).err).toBeNull();
    await world.ledger.resumeClock();
    expect(world.ledger.isClockPaused).toBe(false);
    passSlots(1);
    expect(world.ledger.head().slot).toBe(516);
    expect(world.ledger.block(516)?.parentSlot).toBe(515);
    const times = [515, 516].map((slot) => world.ledger.block(slot)?.blockTime as number);
    expect((times[1] as number) - (times[0] as number)).toBe(400);
    const ledger = await reopen();
    expect([515, 516].map((slot) => ledger.block(slot)?.blockTime)).toEqual(times);
  });

  it('can time travel while it is paused', async () => {
    world.ledger.pauseClock();
    await world.ledger.travelTo({ slot: 700 });
    passSlots(10);
    expect(world.ledger.head().slot).toBe(700);
    expect(world.ledger.isClockPaused).toBe(true);
  });
});

describe('resetLedger', () => {
  it('creates a new ledger of the same node', async () => {
    const { identity, faucet, genesisHash } = world.ledger;
    const { blockhash } = world.ledger.head();
    const transaction = memo('before');
    const { signature } = await world.ledger.submit(transaction);
    await world.ledger.travelTo({ slot: 70_000, unixMs: world.clock.now() + 1e12 });
    world.ledger.pauseClock();
    await world.ledger.resetLedger();

    expect([world.ledger.identity, world.ledger.faucet]).toEqual([identity, faucet]);
    expect(world.ledger.genesisHash).not.toBe(genesisHash);
    expect(world.ledger.head()).toMatchObject({ slot: 512, blockHeight: 512 });
    expect(world.ledger.isClockPaused).toBe(false);
    expect(clock().time).toBe(BigInt(Math.floor(world.clock.now() / 1_000)));
    expect(world.ledger.isBlockhashValid(blockhash)).toBe(false);
    expect(world.ledger.getTransaction(signature)).toBeNull();
    expect(world.ledger.signaturesFor({ address: alice.address, limit: 10 })).toEqual([]);
    expect(world.ledger.transactionCount()).toBe(0);
    expect(world.ledger.getAccount(alice.address)).toBeNull();
    const { ledger } = await openTestLedger();
    expect(world.ledger.accountCount()).toBe(ledger.accountCount());
    expect(world.ledger.totalLamports()).toBe(ledger.totalLamports());
    // It works, and lasts.
    await world.ledger.airdropTokens(bob, USDC_MINT, 5n);
    const again = await reopen();
    expect(again.genesisHash).toBe(world.ledger.genesisHash);
    expect(again.transactionCount()).toBe(1);
    expect(again.head().slot).toBe(513);
  });

  it('lands pending transactions first, and rejects others until it is done', async () => {
    const told: string[] = [];
    world.ledger.subscribe((event) => told.push(event.kind));
    store.held = [];
    const before = world.ledger.submit(memo('before'));
    const reset = world.ledger.resetLedger();
    const between = world.ledger.submit(memo('just before'));
    await store.untilHeld(3);
    await expect(world.ledger.submit(memo('meanwhile'))).rejects.toMatchObject({ code: 'LEDGER_STOPPED' });
    await expect(world.ledger.resetLedger()).rejects.toMatchObject({ code: 'LEDGER_STOPPED' });
    // Reads continue on the remaining data.
    expect(world.ledger.getAccount(alice.address)).not.toBeNull();
    passSlots(1_000);
    expect(world.ledger.head().slot).toBe(576);
    for (const letThrough of store.held) letThrough();
    expect((await before).landed).toBe(true);
    expect((await between).landed).toBe(true);
    store.held = null;
    await reset;
    expect(told).toEqual(['transaction', 'transaction', 'accounts']);
    expect(world.ledger.transactionCount()).toBe(0);
    expect(store.slotCeiling).toBeLessThan(1_000);
    expect((await world.ledger.submit(memo('after'))).err).toBe('AccountNotFound');
  });

  it('keeps transactions of the old ledger out of the new one', async () => {
    store.held = [];
    const outcomes: unknown[] = [];
    const reset = world.ledger.resetLedger();
    await store.untilHeld(1);
    const transactions = Array.from({ length: 100 }, (_, index) => memo(`try ${index}`));
    const [letThrough] = store.held;
    store.held = null;
    letThrough?.();
    // One in every microtask from the one in which the reset becomes durable.
    for (const transaction of transactions) {
      const submission = world.ledger.submit(transaction);
      outcomes.push(
        submission.then(
          ({ err }) => err,
          (error: { code: string }) => error.code,
        ),
      );
      await Promise.resolve();
    }
    await reset;
    const seen = new Set(await Promise.all(outcomes));
    expect(seen).toEqual(new Set(['LEDGER_STOPPED', 'BlockhashNotFound']));
    expect(store.recordCount).toBe(0);
  });

  it('publishes every account that differs, and later changes', async () => {
    const changed = new Map<Address, readonly [bigint | undefined, bigint | undefined]>();
    const listener: LedgerListener = ({ changes }) => {
      for (const { address, before, after } of changes) {
        changed.set(address, [before?.lamports, after?.lamports]);
      }
    };
    world.ledger.subscribe(listener);
    await world.ledger.resetLedger();
    expect(changed.get(alice.address)).toEqual([10_000_000_000n, undefined]);
    expect(changed.get(world.ledger.faucet)).toBeDefined();
    expect(changed.has(USDC_MINT)).toBe(false);
    changed.clear();
    await world.ledger.airdrop(bob, 10n ** 9n);
    expect(changed.get(bob)).toEqual([undefined, 10n ** 9n]);
  });

  it('that cannot be written stops the ledger', async () => {
    const late = memo('late');
    store.failure = new Error('no space left on device');
    await expect(world.ledger.resetLedger()).rejects.toThrow('no space left');
    await expect(world.ledger.submit(late)).rejects.toMatchObject({ code: 'LEDGER_STOPPED' });
    store.failure = null;
    expect(() => world.ledger.getAccount(alice.address)).toThrow();
    await world.ledger.close();
  });

  it('whose genesis fails changes nothing', async () => {
    let isThere = true;
    const genesis = {
      accounts() {
        if (!isThere) throw new Error('no genesis');
        return [];
      },
    };
    const { ledger } = await openTestLedger({ genesis, place: { store: new MemoryStore() } });
    const { genesisHash } = ledger;
    await ledger.setAccounts([[bob, wallet(5n)]]);
    isThere = false;
    await expect(ledger.resetLedger()).rejects.toThrow('no genesis');
    expect(ledger.genesisHash).toBe(genesisHash);
    expect(ledger.getAccount(bob)?.lamports).toBe(5n);
    await ledger.setAccounts([[bob, wallet(6n)]]);
  });

  it('is complete at the next start if the ledger is closed during it', async () => {
    const { genesisHash } = world.ledger;
    store.held = [];
    const reset = world.ledger.resetLedger();
    await store.untilHeld(1);
    const closing = world.ledger.close();
    for (const letThrough of store.held) letThrough();
    await Promise.all([reset, closing]);
    store.held = null;
    const { ledger } = await openTestLedger({ place: { store }, clock: world.clock });
    expect(ledger.genesisHash).not.toBe(genesisHash);
    expect(ledger.getAccount(alice.address)).toBeNull();
  });
});
