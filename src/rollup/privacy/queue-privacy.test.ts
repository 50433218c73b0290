import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Keypair } from '../../ledger/keypair.ts';
import type { LedgerListener } from '../../ledger/ledger-events.ts';
import { type Ledger, SignatureUnknown, type TransactionRecord } from '../../ledger/ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import { EPHEMERAL_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveGroupReceipt } from '../../programs/ephemeral-token/pdas.ts';
import { addMemo } from '../../programs/memo.ts';
import { transferTokens } from '../../programs/token/instructions.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { readonly, signer } from '../../solana/instruction.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { LAYOUT_B_FOLDER } from '../testing/layout-b-genesis.ts';
import { AT_ONCE, type LayoutBScene, openLayoutBScene } from '../testing/layout-b-scene.ts';

let scene: LayoutBScene;
let alice: Keypair;
let bob: Keypair;
let mallory: Keypair;
/** The events each reader receives. */
let heard: Record<'alice' | 'bob' | 'mallory' | 'nobody', Parameters<LedgerListener>[0][]>;

const LATER = { ...AT_ONCE, minDelayMs: 60_000n, maxDelayMs: 60_000n };
const GROUP_ID = 7;
const AMOUNT = 123_457n;

const viewOf = (wallet: Keypair | null): Ledger => scene.views.viewFor(wallet?.address ?? null);
const receiptOf = (owner: Address): Address => deriveGroupReceipt(scene.queue, owner, GROUP_ID).address;

beforeEach(async () => {
  if (LAYOUT_B_FOLDER === null) return;
  scene = await openLayoutBScene(new CrashStores().open(), { concealsNames: true });
  await scene.initializeMint();
  alice = await scene.depositor(1_000_000n);
  bob = await scene.depositor(1n);
  mallory = await scene.depositor(1n);
  heard = { alice: [], bob: [], mallory: [], nobody: [] };
  viewOf(alice).subscribe((event) => heard.alice.push(event));
  viewOf(bob).subscribe((event) => heard.bob.push(event));
  viewOf(mallory).subscribe((event) => heard.mallory.push(event));
  viewOf(null).subscribe((event) => heard.nobody.push(event));
});
afterEach(() => scene?.close());

/** Everything a reader can see of an address or in a block, as one text. */
function allSeenBy(wallet: Keypair | null): string {
  const view = viewOf(wallet);
  const lists = [alice, bob, mallory, scene.validator].map(({ address }) => address);
  const addresses = [...lists, scene.queue, scene.ataOf(scene.queue), receiptOf(alice.address)];
  const histories = addresses.flatMap((address) => [...view.historyOf({ address, limit: 1_000 })]);
  const blocks = view
    .slotsWithBlocks(0, view.head().slot, 10_000)
    .flatMap((slot) => view.block(slot)?.transactions ?? []);
  const accounts = [...view.accounts()].map(([address, { data, lamports }]) => [
    address,
    hex(data),
    lamports,
  ]);
  return JSON.stringify([histories, blocks, accounts], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value instanceof Uint8Array ? hex(value) : value,
  );
}

const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex');

/** Whether a text has the keys of payer and payee in one transaction. */
function linkIn(text: string): boolean {
  return (JSON.parse(text) as [{ wire: string }[] | null, { wire: string }[], unknown])
    .slice(0, 2)
    .some((list) =>
      (list as ({ wire: string } | null)[]).some(
        (record) =>
          record !== null &&
          [alice, bob].every(({ address }) => record.wire.includes(hex(addressBytes(address)))),
      ),
    );
}

describe.skipIf(LAYOUT_B_FOLDER === null)('a private payment that waits in the queue', () => {
  beforeEach(async () => {
    const payment = scene.queueTransfer(alice, bob.address, AMOUNT, { groupId: GROUP_ID, terms: LATER });
    const transaction = buildTransaction(scene.rollup, [alice], [payment]);
    expect((await viewOf(alice).submit(transaction)).err).toBeNull();
  });

  it('cannot be found by its payee, a stranger or an anonymous caller', () => {
    for (const reader of [bob, mallory, null]) {
      expect(linkIn(allSeenBy(reader))).toBe(false);
      const view = viewOf(reader);
      for (const address of [scene.queue, scene.ataOf(scene.queue), scene.eataOf(scene.queue)]) {
        expect(view.getAccount(address)).toBeNull();
      }
      expect(view.getAccount(receiptOf(alice.address))).toBeNull();
      const owned = [...view.programAccounts(EPHEMERAL_TOKEN_PROGRAM)].map(([address]) => address);
      expect(owned).not.toContain(scene.queue);
      expect(owned).not.toContain(receiptOf(alice.address));
      const held = view.tokenAccounts({ holder: 'owner', address: scene.queue, program: TOKEN_PROGRAM });
      expect([...held]).toEqual([]);
      expect([...view.historyOf({ address: scene.queue, limit: 10 })].filter(Boolean)).toEqual([]);
    }
  });

  it('is visible to its payer: the transaction and the receipt', () => {
    const view = viewOf(alice);
    expect(linkIn(allSeenBy(alice))).toBe(true);
    expect(view.getAccount(receiptOf(alice.address))?.data).toHaveLength(104);
    const [record] = view.signaturesFor({ address: alice.address, limit: 1 });
    expect(decodeTransaction(record?.wire as Uint8Array).staticKeys).toContain(bob.address);
    // The tokens of others in the queue are hidden.
    expect(view.getAccount(scene.queue)).toBeNull();
    expect(record?.postTokenBalances.map(({ owner }) => owner)).toEqual([alice.address]);
  });

  it('is reported to its payer only', () => {
    const names = (events: Parameters<LedgerListener>[0][]) =>
      events.flatMap(({ changes }) => changes.map(({ address }) => address));
    const isPayment = ({ kind }: Parameters<LedgerListener>[0]) => kind === 'transaction';
    expect(heard.alice.filter(isPayment)).toHaveLength(1);
    expect(names(heard.alice)).toContain(receiptOf(alice.address));
    for (const who of ['bob', 'mallory', 'nobody'] as const) {
      expect(heard[who].filter(isPayment)).toEqual([]);
      expect(names(heard[who])).not.toContain(scene.queue);
      expect(names(heard[who])).not.toContain(receiptOf(alice.address));
    }
  });

  it('is not revealed by a transaction that names the queue, whoever sends it', async () => {
    for (const wallet of [alice, mallory]) {
      const memo = { ...addMemo('x'), accounts: [readonly(scene.queue)] };
      const probe = buildTransaction(scene.rollup, [wallet], [memo]);
      expect(viewOf(wallet).simulate(probe, { verifySignatures: true, replaceBlockhash: false }).err).toBe(
        'AccountNotFound',
      );
      expect((await viewOf(wallet).submit(probe)).landed).toBe(false);
    }
  });

  it('is not revealed by a simulation that names its payer as a signer who has not signed', () => {
    const probe = (receipt: Address, isSigned: boolean) => {
      const memo = { ...addMemo('x'), accounts: [signer(alice.address), readonly(receipt)] };
      const { wire } = buildTransaction(scene.rollup, [mallory, alice], [memo]);
      const bytes = Uint8Array.from(wire);
      // The signature of the second signer, after the count and the first signature.
      if (!isSigned) bytes.fill(0, 1 + 64, 1 + 2 * 64);
      const options = { verifySignatures: isSigned, replaceBlockhash: !isSigned };
      const { err, logs, computeUnits, loadedAccountsDataSize } = viewOf(mallory).simulate(
        decodeTransaction(bytes),
        options,
      );
      return { err, logs, computeUnits, loadedAccountsDataSize };
    };
    const unused = deriveGroupReceipt(scene.queue, alice.address, GROUP_ID + 1).address;
    expect(probe(receiptOf(alice.address), false)).toEqual(probe(unused, false));
    // Signed by its payer, it runs on the existing receipt.
    const size = (receipt: Address): number => probe(receipt, true).loadedAccountsDataSize;
    expect(size(receiptOf(alice.address))).toBeGreaterThan(size(unused));
  });

  it('is not revealed by a program that trusts its payer, who is only named as a signer', async () => {
    const eve = await scene.wallet(10n);
    await scene.must(scene.base, eve, ...scene.privateDeposit(eve, 10n));
    await scene.rollup.settled();
    const own = { source: scene.ataOf(eve.address), destination: scene.ataOf(bob.address) };
    const ofEve = transferTokens(TOKEN_PROGRAM, { ...own, authority: eve.address }, 1n);
    const next = { groupId: GROUP_ID + 1, terms: LATER };
    const payment = scene.queueTransfer(alice, bob.address, 1n, next);
    const { wire } = buildTransaction(scene.rollup, [eve, alice], [ofEve, payment]);
    // The signature of the second signer, after the count and the first signature.
    const ofEveOnly = decodeTransaction(Uint8Array.from(wire).fill(0, 1 + 64, 1 + 2 * 64));
    const ask = (transaction: Transaction) => {
      const options = { verifySignatures: false, replaceBlockhash: false };
      const run = viewOf(null).simulate(transaction, options);
      const { err, logs, innerInstructions, returnData, computeUnits, loadedAccountsDataSize } = run;
      return { err, logs, innerInstructions, returnData, computeUnits, loadedAccountsDataSize };
    };
    const before = ask(ofEveOnly);
    expect(before.err).toBeNull();
    const landed = await viewOf(alice).submit(buildTransaction(scene.rollup, [alice], [payment]));
    expect(landed.err).toBeNull();
    expect(
      scene.rollup.getAccount(deriveGroupReceipt(scene.queue, alice.address, GROUP_ID + 1).address),
    ).not.toBeNull();
    expect(ask(ofEveOnly)).toEqual(before);
  });

  it('keeps its receipt unchanged if a payment does not name it', async () => {
    const receipt = receiptOf(alice.address);
    const before = [scene.rollup.getAccount(receipt), scene.tokens(scene.rollup, scene.queue)];
    const again = scene.queueTransfer(alice, bob.address, 1n, { groupId: GROUP_ID, terms: LATER });
    const transaction = buildTransaction(scene.rollup, [alice], [again]);
    const { err } = await scene.rollup.submit(transaction, { instead: [[receipt, GONE]] });
    expect(err).not.toBeNull();
    expect([scene.rollup.getAccount(receipt), scene.tokens(scene.rollup, scene.queue)]).toEqual(before);
    expect(scene.queueState?.transfers).toHaveLength(1);
  });

  it.each([
    ['an existing receipt', () => receiptOf(alice.address)],
    ['a missing receipt', () => receiptOf(mallory.address)],
  ])('is not revealed by the outcome of a transaction that names %s', async (_, receipt) => {
    const memo = { ...addMemo('is it there?'), accounts: [readonly(receipt())] };
    const naming = { ...memo, programId: SYSTEM_PROGRAM };
    const transaction = buildTransaction(scene.rollup, [mallory], [naming]);
    const { signature, landed } = await viewOf(mallory).submit(transaction);
    expect(landed).toBe(true);
    const { slot } = scene.rollup.head();
    for (const wallet of [bob, mallory, null]) {
      const view = viewOf(wallet);
      expect(view.getTransaction(signature)?.signature).toBe(signature);
      expect(view.block(slot)?.transactions.map((each) => each.signature)).toContain(signature);
      for (const address of [receipt(), mallory.address]) {
        const listed = view.signaturesFor({ address, limit: 10 }).map((each) => each.signature);
        expect(listed).toContain(signature);
      }
      const unknown = { before: encodeBase58(new Uint8Array(64).fill(9)), limit: 10 };
      expect(() => view.signaturesFor({ address: receipt(), ...unknown })).toThrow(SignatureUnknown);
    }
    const told = [heard.bob, heard.mallory, heard.nobody].map((events) =>
      events.some((event) => event.kind === 'transaction' && event.record.signature === signature),
    );
    expect(told).toEqual([true, true, true]);
  });

  it('stays hidden if a stranger’s transaction that names its receipt is submitted with its payer’s token', async () => {
    const receipt = receiptOf(alice.address);
    const naming = { ...addMemo('x'), accounts: [readonly(receipt)], programId: SYSTEM_PROGRAM };
    const transaction = buildTransaction(scene.rollup, [mallory], [naming]);
    const { signature } = await viewOf(alice).submit(transaction);
    const { preBalances } = scene.rollup.getTransaction(signature) ?? {};
    const at = decodeTransaction(transaction.wire).staticKeys.indexOf(receipt);
    expect(preBalances?.[at]).toBe(0n);
  });

  it('does not prevent others from scheduling the queue’s task and paying by it', async () => {
    const crank = buildTransaction(scene.rollup, [mallory], [scene.ensureCrank(mallory)]);
    const run = viewOf(mallory).simulate(crank, { verifySignatures: true, replaceBlockhash: false });
    expect([run.err, run.accountAfter(scene.queue)]).toEqual([null, null]);
    expect((await viewOf(mallory).submit(crank)).err).toBeNull();
    expect(linkIn(allSeenBy(mallory))).toBe(false);
  });
});

/** The one transaction of the rollup that names both wallets. */
function arrivalOf(payer: Keypair, payee: Keypair): TransactionRecord {
  const { rollup } = scene;
  const found = rollup
    .slotsWithBlocks(0, rollup.head().slot, 10_000)
    .flatMap((slot) => rollup.block(slot)?.transactions ?? [])
    .filter(({ wire }) => {
      const { staticKeys } = decodeTransaction(wire);
      return staticKeys.includes(payer.address) && staticKeys.includes(payee.address);
    });
  expect(found).toHaveLength(1);
  return found[0] as TransactionRecord;
}

describe.skipIf(LAYOUT_B_FOLDER === null)('a private payment from base', () => {
  it('does not link payer and payee on its way to base, except for the payer', async () => {
    const payer = await scene.wallet(10_000n);
    alice = payer;
    await scene.must(scene.base, payer, ...scene.privateTransfer(payer, bob.address, 5_000n));
    await scene.time.pass(2_000);
    await scene.rollup.settled();
    expect(scene.tokens(scene.base, bob.address)).toBe(5_000n);
    expect([bob, mallory, null, payer].map((reader) => linkIn(allSeenBy(reader)))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('is visible to its payer, and not to the sponsor who only signed on base', async () => {
    const [sponsor, payer] = [await scene.wallet(), await scene.wallet(10_000n)];
    alice = payer;
    await scene.must(scene.base, payer, ...scene.delegation(payer));
    const payment = scene.sponsoredTransfer(payer, sponsor, { to: bob.address, amount: 5_000n });
    const transaction = buildTransaction(scene.base, [sponsor, payer], [payment]);
    expect((await scene.base.submit(transaction)).err).toBeNull();
    await scene.rollup.settled();
    const { signature, wire } = arrivalOf(payer, bob);
    const { staticKeys, requiredSignatures } = decodeTransaction(wire);
    const signers = [scene.validator, payer, sponsor].map(({ address }) => address);
    expect(new Set(staticKeys.slice(0, requiredSignatures))).toEqual(new Set(signers));
    expect(viewOf(payer).getTransaction(signature)?.signature).toBe(signature);
    expect(viewOf(sponsor).getTransaction(signature)).toBeNull();
    expect([...viewOf(sponsor).historyOf({ address: sponsor.address, limit: 10 })].filter(Boolean)).toEqual(
      [],
    );
    expect(linkIn(allSeenBy(payer))).toBe(true);
    expect(linkIn(allSeenBy(sponsor))).toBe(false);
  });

  it('leaves no trace of a closed receipt for others', async () => {
    const payer = await scene.wallet(10_000n);
    await scene.must(scene.base, payer, ...scene.privateTransfer(payer, bob.address, 5_000n));
    await scene.time.pass(2_000);
    await scene.rollup.settled();
    const closed = (events: Parameters<LedgerListener>[0][]) =>
      events.flatMap(({ changes }) =>
        changes.filter(({ before, after }) => before?.owner === EPHEMERAL_TOKEN_PROGRAM && after === null),
      );
    const receipts = closed(heard.mallory).filter(({ before }) => before?.data.length === 104);
    expect(receipts).toEqual([]);
  });
});
