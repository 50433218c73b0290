import { beforeEach, describe, expect, it } from 'vitest';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { addMemo } from '../programs/memo.ts';
import { CLOCK_SYSVAR } from '../programs/sysvars.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import type { Keypair } from './keypair.ts';
import { SignatureUnknown } from './ledger.ts';
import { MemoryStore } from './store/memory-store.ts';
import { buildV0 } from './testing/build-v0.ts';
import { HeldStore } from './testing/held-store.ts';
import { lookupTable } from './testing/lookup-table.ts';
import { tokenAccount } from './testing/make-account.ts';
import { buildTransaction, emptyGenesis, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

let store: HeldStore;
let world: TestLedger;
let alice: Keypair;
beforeEach(async () => {
  store = new HeldStore();
  world = await openTestLedger({ place: { store } });
  alice = await world.fundedWallet();
});

const submit = async (text: string): Promise<string> =>
  (await world.ledger.submit(buildTransaction(world.ledger, [alice], [addMemo(text)]))).signature;
const passSlots = (count: number): void => world.clock.pass(count * 400);

describe('block', () => {
  it('contains the transactions of a slot and its parent', async () => {
    passSlots(1);
    const { blockhash: previousBlockhash } = world.ledger.head();
    passSlots(1);
    const { blockhash } = world.ledger.head();
    const signatures = [await submit('a'), await submit('b')];
    passSlots(5);
    expect(world.ledger.block(514)).toEqual({
      slot: 514,
      parentSlot: 513,
      blockHeight: 514,
      blockhash,
      previousBlockhash,
      blockTime: world.ledger.getTransaction(signatures[0] as string)?.blockTime,
      transactions: signatures.map((signature) => world.ledger.getTransaction(signature)),
    });
    expect(world.ledger.block(515)).toMatchObject({ parentSlot: 514, transactions: [] });
  });

  it('exists for every slot from the first to the current one, and for no other', () => {
    passSlots(10);
    const { ledger } = world;
    expect(ledger.firstSlot()).toBe(0);
    expect([523, -1, 1.5, NaN].map((slot) => ledger.block(slot))).toEqual([null, null, null, null]);
    expect(ledger.block(1)).toMatchObject({ slot: 1, parentSlot: 0, blockHeight: 1, transactions: [] });
    expect(ledger.block(511)).toMatchObject({ slot: 511, parentSlot: 510, transactions: [] });
    expect(ledger.block(512)).toMatchObject({ slot: 512, parentSlot: 511, blockHeight: 512 });
    expect(ledger.slotsWithBlocks(0, 514, 3)).toEqual([0, 1, 2]);
    expect(ledger.slotsWithBlocks(0, 514, 1_000)).toHaveLength(515);
    expect(ledger.slotsWithBlocks(520, Number.MAX_SAFE_INTEGER, 10)).toEqual([520, 521, 522]);
    expect(ledger.slotsWithBlocks(512, 522, 2)).toEqual([512, 513]);
    expect(ledger.slotsWithBlocks(520, 519, 10)).toEqual([]);
    expect(ledger.slotsWithBlocks(512, 522, 0)).toEqual([]);
  });

  it('of slot 0 is its own parent, 512 slots before the first slot of the ledger', () => {
    const block = world.ledger.block(0);
    expect(block).toMatchObject({ slot: 0, parentSlot: 0, blockHeight: 0, transactions: [] });
    expect(block?.previousBlockhash).toBe(block?.blockhash);
    expect(world.ledger.block(1)?.previousBlockhash).toBe(block?.blockhash);
    const begun = world.ledger.block(512)?.blockTime ?? NaN;
    expect(block?.blockTime).toBe(Math.floor(begun - 512 * 0.4));
  });

  it('of slot 0 exists on a ledger that an older version created, in its old form', async () => {
    const old = new MemoryStore();
    const [genesisHash, seed] = [addressOf(world.random.bytes(32)), world.random.bytes(32)];
    await old.commit({
      identity: { genesisHash, blockhashSeed: seed, faucetSeed: seed, identitySeed: seed },
      timeAnchor: { slot: 512, unixMs: world.clock.now(), slotMs: 400, afterSlot: 511 },
      slotCeiling: 600,
    });
    const { ledger } = await openTestLedger({ place: { store: old }, clock: world.clock });
    expect([ledger.firstSlot(), ledger.head().slot]).toEqual([0, 601]);
    expect(ledger.block(0)).toMatchObject({ slot: 0, blockHeight: 0 });
    expect(ledger.slotsWithBlocks(0, 601, 1_000)).toHaveLength(602);
  });

  it('is the same after a restart and after a crash, and slots that were never shown have no transactions', async () => {
    passSlots(3);
    await submit('kept');
    const block = world.ledger.block(515);
    const { ledger: survivor } = await openTestLedger({ place: { store: store.copy() }, clock: world.clock });
    expect(survivor.block(515)).toEqual(block);
    // The last slot shown was 515; the ledger continues above the lease.
    const { slot } = survivor.head();
    expect(slot).toBe(577);
    expect(survivor.slotsWithBlocks(514, 577, 100)).toHaveLength(64);
    expect(survivor.block(550)).toMatchObject({ parentSlot: 549, blockHeight: 550, transactions: [] });
    const times = [515, 550, 576, 577].map((each) => survivor.block(each)?.blockTime as number);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('is forgotten with the transactions of its slot', async () => {
    const forgetful = await openTestLedger({ place: { store: new MemoryStore({ transactionsMax: 2 }) } });
    const { ledger, clock } = forgetful;
    const wallet = await forgetful.fundedWallet();
    for (let round = 0; round < 4; round++) {
      clock.pass(100 * 400);
      await ledger.submit(buildTransaction(ledger, [wallet], [addMemo(`round ${round}`)]));
    }
    const first = ledger.firstSlot();
    expect(first).toBeGreaterThan(512);
    expect(ledger.block(first - 1)).toBeNull();
    expect(ledger.block(first)).not.toBeNull();
    expect(ledger.slotsWithBlocks(0, first, 10)).toEqual([first]);
    expect(ledger.transactionCount()).toBe(5);
    expect(ledger.historyStart()).toBe(first);
  });

  it('starts later if another cluster had the slots before, and none of its transactions are missing', async () => {
    const genesis = { ...emptyGenesis, firstSlot: async () => 900 };
    const { ledger } = await openTestLedger({ genesis });
    expect(ledger.firstSlot()).toBeGreaterThan(800);
    expect(ledger.historyStart()).toBe(0);
  });
});

describe('signaturesFor', () => {
  it('returns the transactions that name an address, newest first, once they are durable', async () => {
    const a = await submit('a');
    store.held = [];
    const blockhash = decodeBase58(world.ledger.head().blockhash);
    const pending = world.ledger.submit(buildTransaction(world.ledger, [alice], [addMemo('b')], blockhash));
    const found = world.ledger.signaturesFor({ address: alice.address, limit: 2 });
    expect(found.map(({ index }) => index)).toEqual([1, 0]);
    expect(world.ledger.block(512)?.transactions).toHaveLength(2);
    expect(world.ledger.transactionCount()).toBe(2);
    store.held[0]?.();
    store.held = null;
    const { signature: b } = await pending;
    const page = (query: { before?: string; until?: string }): string[] =>
      world.ledger
        .signaturesFor({ address: alice.address, limit: 10, ...query })
        .map(({ signature }) => signature);
    expect(page({})).toEqual([b, a, expect.any(String)]);
    expect(page({ before: b, until: a })).toEqual([]);
    expect(page({ until: a })).toEqual([b]);
    expect(() => page({ until: 'never' })).toThrow(SignatureUnknown);
    // The airdrop has none.
    expect(world.ledger.signaturesFor({ address: MEMO_PROGRAM, limit: 10 })).toHaveLength(2);
  });

  it('finds addresses that were loaded from a table', async () => {
    const table = addressOf(world.random.bytes(32));
    const loaded = addressOf(world.random.bytes(32));
    await world.ledger.setAccounts([[table, lookupTable([loaded])]]);
    const { signature, err } = await world.ledger.submit(
      buildV0({
        payer: alice,
        keys: [MEMO_PROGRAM],
        readonlyCount: 1,
        blockhash: decodeBase58(world.ledger.head().blockhash),
        instructions: [{ program: 1, accounts: [], data: Buffer.from('memo') }],
        lookups: [{ table, writable: [0], readonly: [] }],
      }),
    );
    expect(err).toBeNull();
    const found = world.ledger.signaturesFor({ address: loaded, limit: 10 });
    expect(found.map((record) => record.signature)).toEqual([signature]);
  });
});

describe('the accounts of a ledger', () => {
  it('are listed, counted and added up', async () => {
    const { ledger } = world;
    const all = new Map(ledger.accounts());
    expect(all.size).toBe(ledger.accountCount());
    expect([...all.values()].reduce((sum, { lamports }) => sum + lamports, 0n)).toBe(ledger.totalLamports());
    const total = ledger.totalLamports();
    await submit('for a fee');
    passSlots(1_000);
    expect(ledger.getAccount(CLOCK_SYSVAR)?.lamports).toBe(1_169_280n);
    expect(ledger.totalLamports()).toBe(total - 5_000n);
    const owned = [...ledger.accounts()].filter(([, { owner }]) => owner === TOKEN_PROGRAM);
    expect(new Map(ledger.programAccounts(TOKEN_PROGRAM))).toEqual(new Map(owned));
  });

  it('show the current sysvars through every read', () => {
    for (const list of [() => world.ledger.accounts(), () => world.ledger.programAccounts(SYSVAR_OWNER)]) {
      passSlots(1);
      const data = Buffer.from(new Map(list()).get(CLOCK_SYSVAR)?.data ?? []);
      expect(Number(data.readBigUInt64LE())).toBe(world.ledger.head().slot);
    }
  });

  it('are found by the owner and the delegate of their tokens', async () => {
    const bob = addressOf(world.random.bytes(32));
    await world.ledger.airdropTokens(alice.address, USDC_MINT, 5n);
    const ata = deriveAta(alice.address, USDC_MINT, TOKEN_PROGRAM).address;
    const find = (holder: 'owner' | 'delegate', address: Address) =>
      [...world.ledger.tokenAccounts({ holder, address, program: TOKEN_PROGRAM })].map(([at]) => at);
    expect(find('owner', alice.address)).toEqual([ata]);
    expect(find('delegate', bob)).toEqual([]);
    const delegated = tokenAccount({ mint: USDC_MINT, owner: alice.address }, 5n, { delegate: bob });
    await world.ledger.setAccounts([[ata, delegated]]);
    expect(find('delegate', bob)).toEqual([ata]);
  });

  it('are listed by their program without being copied', async () => {
    const { ledger } = await openTestLedger({ genesis: emptyGenesis });
    const mint = addressOf(world.random.bytes(32));
    const account = tokenAccount({ mint, owner: alice.address }, 5n);
    const key = Buffer.alloc(32, 7);
    const entries = Array.from({ length: 10_000 }, (_, index) => {
      key.writeUInt32LE(index);
      return [addressOf(key), account] as const;
    });
    await ledger.setAccounts(entries);
    let count = 0;
    for (const [, found] of ledger.programAccounts(TOKEN_PROGRAM)) if (found === account) count++;
    expect(count).toBe(10_000);
    expect([...ledger.programAccounts(ADDRESS_LOOKUP_TABLE_PROGRAM)]).toEqual([]);
    expect([...ledger.programAccounts(SYSTEM_PROGRAM)]).toEqual([]);
  });
});
