import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Keypair } from '../../ledger/keypair.ts';
import {
  type Ledger,
  PREFLIGHT,
  type SignatureQuery,
  SignatureUnknown,
  type Simulation,
  type TransactionRecord,
  TransactionRejected,
} from '../../ledger/ledger.ts';
import { signatureOf } from '../../ledger/run/account-keys.ts';
import { buildV0 } from '../../ledger/testing/build-v0.ts';
import { advanceNonce } from '../../ledger/testing/instructions.ts';
import { lookupTable } from '../../ledger/testing/lookup-table.ts';
import { accountOf } from '../../ledger/testing/make-account.ts';
import { nonceAccount } from '../../ledger/testing/nonce-account.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import { signedVersion1 } from '../../ledger/testing/version-1.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import { MEMBER_FLAG } from '../../programs/permission/state.ts';
import { transferTokens } from '../../programs/token/instructions.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import { type Instruction, readonly } from '../../solana/instruction.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { ROLLUP_BOOKS } from '../books/item.ts';
import { LedgerView } from './ledger-view.ts';
import {
  ALICE_AMOUNT,
  type Holder,
  MINT,
  openPrivateRollup,
  type PrivateRollup,
} from './testing/private-rollup.ts';

let scene: PrivateRollup;
beforeEach(async () => {
  scene = await openPrivateRollup();
});
afterEach(() => scene.close());

const asReaders = () => ({
  nobody: scene.views.viewFor(null),
  sam: scene.views.viewFor(scene.sam.address),
  alice: scene.views.viewFor(scene.alice.address),
});

/** The result for each reader. */
function told<T>(ask: (view: Ledger) => T): Record<'nobody' | 'sam' | 'alice', T> {
  const { nobody, sam, alice } = asReaders();
  return { nobody: ask(nobody), sam: ask(sam), alice: ask(alice) };
}

const pay = (source: Holder, destination: Holder, authority: Holder, amount: bigint): Instruction =>
  transferTokens(
    TOKEN_PROGRAM,
    { source: source.ata, destination: destination.ata, authority: authority.address },
    amount,
  );

const build = (signer: Keypair, ...instructions: Instruction[]): Transaction =>
  buildTransaction(scene.rollup, [signer], instructions);

const unsigned = (transaction: Transaction): Transaction => {
  const wire = new Uint8Array(transaction.wire).fill(0, 1, 65);
  return { ...transaction, wire, signatures: [wire.subarray(1, 65)] };
};

const OPTIONS = { verifySignatures: false, replaceBlockhash: false };

describe('accounts of a private holder', () => {
  it('are absent for everyone else in every query', () => {
    const { alice, sam } = scene;
    const seen = told((view) => ({
      ata: view.getAccount(alice.ata) !== null,
      eata: view.getAccount(alice.eata) !== null,
      all: new Map(view.accounts()).has(alice.ata),
      ofTokenProgram: new Map(view.programAccounts(TOKEN_PROGRAM)).has(alice.ata),
      ofEphemeralProgram: new Map(view.programAccounts(EPHEMERAL_TOKEN_PROGRAM)).has(alice.eata),
      byOwner: [...view.tokenAccounts({ holder: 'owner', address: alice.address, program: TOKEN_PROGRAM })]
        .length,
      byDelegate: [
        ...view.tokenAccounts({ holder: 'delegate', address: sam.address, program: TOKEN_PROGRAM }),
      ].length,
    }));
    const everywhere = <T>(is: boolean, count: T) => ({
      ata: is,
      eata: is,
      all: is,
      ofTokenProgram: is,
      ofEphemeralProgram: is,
      byOwner: count,
      byDelegate: count,
    });
    const hidden = everywhere(false, 0);
    const open = everywhere(true, 1);
    expect(seen).toEqual({ nobody: hidden, sam: hidden, alice: open });
  });

  it('are not among the accounts of their mint', () => {
    const { alice, bob, sam } = scene;
    const ofMint = { holder: 'mint', address: MINT, program: TOKEN_PROGRAM } as const;
    const seen = told((view) => new Set(Array.from(view.tokenAccounts(ofMint), ([address]) => address)));
    const others = new Set([sam.ata, bob.ata]);
    expect(seen).toEqual({ nobody: others, sam: others, alice: new Set([alice.ata, ...others]) });
  });

  it('are not counted, nor are their lamports', () => {
    const { rollup, alice } = scene;
    const hidden = [alice.ata, alice.eata].map((address) => rollup.getAccount(address)?.lamports ?? 0n);
    const context = rollup.getAccount(ROLLUP_BOOKS)?.lamports ?? 0n;
    const ofAlice = [rollup.accountCount() - 1, rollup.totalLamports() - context];
    const ofOthers = [
      rollup.accountCount() - 3,
      rollup.totalLamports() - context - (hidden[0] ?? 0n) - (hidden[1] ?? 0n),
    ];
    const seen = told((view) => [view.accountCount(), view.totalLamports()]);
    expect(seen).toEqual({ nobody: ofOthers, sam: ofOthers, alice: ofAlice });
  });

  it('are public once the permission is open, and private again when it is closed', async () => {
    const { alice, permit } = scene;
    await permit(alice, null);
    expect(scene.views.viewFor(null).getAccount(alice.ata)).not.toBeNull();
    await permit(alice, []);
    expect(scene.views.viewFor(null).getAccount(alice.ata)).toBeNull();
  });

  it("are shown to members as balances, and the rollup's own books to nobody", async () => {
    const { alice, sam, permit } = scene;
    await permit(alice, [{ flags: MEMBER_FLAG.txBalances, address: sam.address }]);
    const seen = told((view) => [view.getAccount(alice.ata) !== null, view.getAccount(ROLLUP_BOOKS)]);
    expect(seen).toEqual({ nobody: [false, null], sam: [true, null], alice: [true, null] });
  });
});

describe('transactions that name private accounts', () => {
  it('are visible to those who may follow them, and to their signers', async () => {
    const { alice, bob, sam, pay: land } = scene;
    const signatures = {
      byAlice: await land(alice, bob, 1n),
      bySam: await land(sam, alice, 2n),
      byBob: await land(bob, sam, 3n),
    };
    const { slot } = scene.rollup.head();
    const seen = told((view) => ({
      found: Object.entries(signatures).flatMap(([who, signature]) =>
        view.getTransaction(signature) === null ? [] : [who],
      ),
      inBlock: view.block(slot)?.transactions.length,
      ofToken: view.signaturesFor({ address: TOKEN_PROGRAM, limit: 10 }).length,
      ofAlice: view.signaturesFor({ address: alice.ata, limit: 10 }).length,
      ofMint: view.transactionCount(),
    }));
    const found = (who: string[]) => ({ found: who, inBlock: who.length, ofToken: who.length });
    expect(seen).toEqual({
      nobody: { ...found(['byBob']), ofAlice: 0, ofMint: 3 },
      sam: { ...found(['bySam', 'byBob']), ofAlice: 0, ofMint: 3 },
      alice: { ...found(['byAlice', 'bySam', 'byBob']), ofAlice: 2, ofMint: 3 },
    });
  });

  it('show a signer no balances of accounts they may not read', async () => {
    const { alice, sam, pay: land } = scene;
    const signature = await land(sam, alice, 2n);
    const owners = (record: TransactionRecord | null) =>
      record &&
      [record.preTokenBalances, record.postTokenBalances].map((list) => list.map(({ owner }) => owner));
    const seen = told((view) => owners(view.getTransaction(signature)));
    expect(seen).toMatchObject({ nobody: null, sam: [[sam.address], [sam.address]] });
    expect(seen.alice?.[0]).toContain(alice.address);
    const lamports = told(
      (view) => view.getTransaction(signature)?.postBalances.filter((each) => each === 0n).length,
    );
    // Sam's own wallet has none either.
    expect(lamports).toEqual({ nobody: undefined, sam: 2, alice: 1 });
  });

  it.each([
    ['txMessage', { found: true, logs: 0, history: 0, balances: 1 }],
    ['txLogs', { found: false, logs: undefined, history: 0, balances: undefined }],
    ['txBalances', { found: false, logs: undefined, history: 0, balances: undefined }],
    ['accountSignatures', { found: false, logs: undefined, history: 0, balances: undefined }],
  ] as const)('show a member with only %s what that flag permits', async (flag, expected) => {
    const { alice, bob, sam, permit, pay: land } = scene;
    const signature = await land(alice, bob, 1n);
    await permit(alice, [{ flags: MEMBER_FLAG[flag], address: sam.address }]);
    expect(lookAs(sam, signature)).toEqual(expected);
  });

  it('show everything to a member with every flag except authority', async () => {
    const { alice, bob, sam, permit, pay: land } = scene;
    const signature = await land(alice, bob, 1n);
    await permit(alice, [{ flags: 2 + 4 + 8 + 16, address: sam.address }]);
    expect(lookAs(sam, signature)).toMatchObject({ found: true, history: 1, balances: 2 });
    expect(lookAs(sam, signature).logs).toBeGreaterThan(0);
  });

  function lookAs(holder: Holder, signature: string) {
    const view = scene.views.viewFor(holder.address);
    const record = view.getTransaction(signature);
    return {
      found: record !== null,
      logs: record?.logs.length,
      history: view.signaturesFor({ address: scene.alice.ata, limit: 10 }).length,
      balances: record?.postTokenBalances.length,
    };
  }

  it('cannot be the bounds of a history for those who may not see them', async () => {
    const { alice, bob, sam, pay: land } = scene;
    const hidden = await land(alice, bob, 1n);
    const shown = await land(sam, bob, 1n);
    const page = (view: Ledger, before: string) =>
      view.signaturesFor({ address: bob.ata, limit: 10, before }).length;
    const { nobody, alice: insider } = asReaders();
    expect(() => page(nobody, hidden)).toThrow(SignatureUnknown);
    expect(() => nobody.signaturesFor({ address: bob.ata, limit: 1, until: hidden })).toThrow(
      SignatureUnknown,
    );
    expect([page(insider, hidden), page(insider, shown), page(nobody, shown)]).toEqual([0, 1, 0]);
  });

  it('are visible to the owner of a public account they name, without balances of others', async () => {
    const { alice, bob, pay: land } = scene;
    const paid = await land(alice, bob, 1n);
    const view = scene.views.viewFor(bob.address);
    const record = view.getTransaction(paid);
    expect(record?.postTokenBalances.map(({ owner }) => owner)).toEqual([bob.address]);
    expect(record).toMatchObject({ err: null, logs: [] });
    expect(view.signaturesFor({ address: bob.ata, limit: 10 })).toHaveLength(1);
    expect(view.signaturesFor({ address: alice.ata, limit: 10 })).toEqual([]);
    const heard: string[] = [];
    view.subscribe(({ kind, changes }) => heard.push(kind, ...changes.map(({ address }) => address)));
    await land(alice, bob, 2n);
    expect(heard).toEqual(['transaction', bob.ata]);
  });

  it('stay visible to an owner whose accounts are named next to unused private ones', async () => {
    const { alice, bob, sam, rollup } = scene;
    for (const address of [bob.address, bob.ata, bob.eata]) {
      const naming = {
        programId: SYSTEM_PROGRAM,
        accounts: [readonly(address), readonly(alice.ata)],
        data: Uint8Array.of(9, 9, 9, 9),
      };
      await rollup.submit(build(sam.wallet, naming));
      const counts = [bob.address, null].map(
        (reader) => scene.views.viewFor(reader).signaturesFor({ address, limit: 10 }).length,
      );
      expect(counts, address).toEqual([1, 0]);
    }
  });

  it('show their outcome, and nothing else, to anyone who knows the signature', async () => {
    const { alice, bob, pay: land } = scene;
    const paid = await land(alice, bob, 1n);
    const { slot } = scene.rollup.head();
    const status = { slot, err: null };
    expect(told((view) => view.signatureStatus(paid))).toStrictEqual({
      nobody: status,
      sam: status,
      alice: status,
    });
    expect(scene.views.viewFor(null).signatureStatus(encodeBase58(new Uint8Array(64)))).toBeNull();
  });

  it('do not shorten pages of visible transactions', async () => {
    const { alice, bob, sam, pay: land } = scene;
    const known: string[] = [];
    for (let round = 0n; round < 4n; round++) {
      known.unshift(await land(sam, bob, 1n + round));
      for (let hidden = 0n; hidden < 70n; hidden++) await land(alice, bob, 1n + 100n * round + hidden);
    }
    const nobody = scene.views.viewFor(null);
    const page = nobody.signaturesFor({ address: bob.ata, limit: 3 });
    expect(page.map(({ signature }) => signature)).toEqual(known.slice(0, 3));
  });
});

describe('the history of an address with private transactions', () => {
  /** The cost of a history for a reader, in transactions read and calls made, and its result. */
  function look(reader: Holder | null, address: Address) {
    const { guards, names, rollup } = scene;
    const work = { reads: 0, questions: 0 };
    const counted: Ledger = Object.assign(Object.create(rollup) as Ledger, {
      getAccount: (each: Address) => rollup.getAccount(each),
      tokenAccounts: (query: Parameters<Ledger['tokenAccounts']>[0]) => rollup.tokenAccounts(query),
      getTransaction: (signature: string) => {
        work.questions++;
        return rollup.getTransaction(signature);
      },
      *historyOf(query: SignatureQuery) {
        work.questions++;
        for (const record of rollup.historyOf(query)) {
          work.reads++;
          yield record;
        }
      },
    });
    const view = new LedgerView(counted, guards, names, reader?.address ?? null);
    return { told: view.signaturesFor({ address, limit: 5 }).map(({ signature }) => signature), ...work };
  }

  const places = () => ({
    wallet: scene.alice.address,
    ata: scene.alice.ata,
    payee: scene.bob.ata,
    program: TOKEN_PROGRAM,
  });

  it('costs a stranger nothing and looks the same, however many private payments there are', async () => {
    const { alice, bob, sam, pay: land } = scene;
    await land(sam, bob, 1n);
    const lookAll = () =>
      [null, sam].flatMap((reader) => Object.values(places()).map((address) => look(reader, address)));
    const before = lookAll();
    for (let amount = 1n; amount <= 30n; amount++) await land(alice, bob, amount);
    expect(lookAll()).toEqual(before);
    expect(look(null, alice.address)).toEqual({ told: [], reads: 0, questions: 1 });
  });

  it('is complete for its owner, in pages, public and private transactions in order', async () => {
    const { alice, bob, sam, pay: land } = scene;
    const paid: string[] = [];
    for (let round = 1n; round <= 3n; round++) {
      paid.unshift(await land(sam, bob, round));
      paid.unshift(await land(alice, bob, round));
    }
    const ofBob = scene.views.viewFor(bob.address);
    const page = (before?: string) =>
      ofBob
        .signaturesFor({ address: bob.ata, limit: 4, ...(before !== undefined && { before }) })
        .map(({ signature }) => signature);
    expect(page()).toEqual(paid.slice(0, 4));
    expect(page(paid[3])).toEqual(paid.slice(4));
    // Among all transactions, the reader's own private ones are found in place.
    expect(look(alice, TOKEN_PROGRAM).told).toEqual(paid.slice(0, 5));
    expect(look(alice, bob.ata).told).toEqual(paid.slice(0, 5));
    expect(look(sam, alice.address).told).toEqual([]);
  });

  it('hides from strangers what was public when it landed and is private now', async () => {
    const { bob, sam, permit, pay: land } = scene;
    await land(sam, bob, 1n);
    await permit(bob, [{ flags: MEMBER_FLAG.authority, address: bob.address }]);
    const later = await land(bob, sam, 2n);
    expect(look(null, bob.ata).told).toEqual([]);
    expect(look(null, TOKEN_PROGRAM).told).toEqual([]);
    expect(look(bob, bob.ata).told).toHaveLength(2);
    await permit(bob, null);
    expect(look(null, sam.ata).told).toHaveLength(1);
    expect(scene.views.viewFor(null).getTransaction(later)).not.toBeNull();
  });
});

describe('events', () => {
  it('report only the changes of public accounts for hidden transactions', async () => {
    const { alice, bob, sam, pay: land } = scene;
    const heard: Record<string, string[]> = { nobody: [], sam: [], alice: [] };
    const names = new Map([
      [alice.ata, 'alice'],
      [bob.ata, 'bob'],
      [sam.ata, 'sam'],
    ]);
    for (const [reader, view] of Object.entries(asReaders())) {
      view.subscribe(({ kind, changes }) => {
        const whose = changes.flatMap(({ address }) => names.get(address) ?? []);
        heard[reader]?.push([kind, ...whose.sort()].join(' '));
      });
    }
    await land(alice, bob, 1n);
    await land(sam, bob, 1n);
    await land(sam, alice, 1n);
    await scene.rollup.setAccounts([[ROLLUP_BOOKS, accountOf(ROLLUP_BOOKS, new Uint8Array(9))]]);
    expect(heard).toEqual({
      nobody: ['accounts bob', 'transaction bob sam', 'accounts sam'],
      sam: ['accounts bob', 'transaction bob sam', 'transaction sam'],
      alice: ['transaction alice bob', 'transaction bob sam', 'transaction alice sam'],
    });
  });

  it('end after unsubscribing', async () => {
    let count = 0;
    const end = scene.views.viewFor(null).subscribe(() => count++);
    end();
    await scene.pay(scene.sam, scene.bob, 1n);
    expect(count).toBe(0);
  });
});

describe('a simulation', () => {
  const overdraft = (signer: Holder, amount: bigint) =>
    build(signer.wallet, pay(scene.alice, signer, signer, amount));

  it.each([1n, ALICE_AMOUNT, ALICE_AMOUNT + 1n])(
    'by a stranger who would move %s of private tokens does not reveal how many there are',
    (amount) => {
      const transaction = overdraft(scene.sam, amount);
      for (const view of [scene.views.viewFor(null), scene.views.viewFor(scene.sam.address)]) {
        const run = view.simulate(transaction, OPTIONS);
        expect(run).toMatchObject({
          err: 'AccountNotFound',
          logs: [],
          computeUnits: 0,
          postTokenBalances: null,
        });
        expect(run.accountAfter(scene.alice.ata)).toBeNull();
        expect(run.accountAfter(scene.sam.ata)).not.toBeNull();
      }
    },
  );

  it('by their owner runs if it is signed, or sent with a token', () => {
    const { alice, bob, views } = scene;
    const signed = build(alice.wallet, pay(alice, bob, alice, 5n));
    const run = (reader: Holder | null, transaction: Transaction) =>
      views.viewFor(reader?.address ?? null).simulate(transaction, OPTIONS).err;
    expect([
      run(null, signed),
      run(alice, signed),
      run(alice, unsigned(signed)),
      run(null, unsigned(signed)),
      run(bob, unsigned(signed)),
    ]).toEqual([null, null, null, 'AccountNotFound', 'AccountNotFound']);
  });

  it('that verifies signatures reports wrong ones', () => {
    const { alice, bob } = scene;
    const forged = unsigned(build(alice.wallet, pay(alice, bob, alice, 5n)));
    const run = scene.views.viewFor(null).simulate(forged, { ...OPTIONS, verifySignatures: true });
    expect(run.err).toBe('SignatureFailure');
  });

  it('of a payment to a private account runs for everyone, and shows nothing of that account', () => {
    const { alice, sam } = scene;
    const transaction = unsigned(build(sam.wallet, pay(sam, alice, sam, 5n)));
    const seen = told((view) => {
      const run = view.simulate(transaction, OPTIONS);
      const after = run.accountAfter(alice.ata);
      return [run.err, run.postTokenBalances?.length, after && decodeTokenAccount(after.data)?.amount];
    });
    const blind = [null, 1, null];
    expect(seen).toEqual({ nobody: blind, sam: blind, alice: [null, 2, ALICE_AMOUNT + 5n] });
  });

  it('that passes a private account to any other program does not run', () => {
    const { alice, sam } = scene;
    const memo = { programId: MEMO_PROGRAM, accounts: [readonly(alice.ata)], data: Buffer.from('x') };
    const twice = transferTokens(
      TOKEN_PROGRAM,
      { source: alice.ata, destination: alice.ata, authority: sam.address },
      1n,
    );
    const books = { ...memo, accounts: [readonly(ROLLUP_BOOKS)] };
    const run = (...instructions: Instruction[]) =>
      scene.views.viewFor(sam.address).simulate(build(sam.wallet, ...instructions), OPTIONS).err;
    expect([run(memo), run(twice), run(books), run(pay(sam, alice, sam, 1n), memo)]).toEqual(
      Array(4).fill('AccountNotFound'),
    );
  });

  describe('a transaction signed by one of their readers', () => {
    const trying = { ...OPTIONS, replaceBlockhash: true };
    const nobody = () => scene.views.viewFor(null);

    it('reveals nothing after it has landed or expired, so it cannot be used to query present balances', async () => {
      const { alice, bob, clock, pay: land } = scene;
      const payment = build(alice.wallet, pay(alice, bob, alice, ALICE_AMOUNT - 5n));
      expect(nobody().simulate(payment, trying)).toMatchObject({ err: null, replacementBlockhash: null });
      await nobody().submit(payment);
      const answers = new Set<string>();
      const probe = () => {
        const { err, logs, computeUnits } = nobody().simulate(payment, trying);
        answers.add(JSON.stringify({ err, logs, computeUnits }));
      };
      probe();
      clock.pass(400 * 50);
      probe();
      await land(bob, alice, 5n + ALICE_AMOUNT - 5n - 5n);
      probe();
      expect([...answers]).toEqual([
        '{"err":"AlreadyProcessed","logs":[],"computeUnits":0}',
        '{"err":"BlockhashNotFound","logs":[],"computeUnits":0}',
      ]);
    });

    it('does not run with a durable nonce, with which it would never expire', async () => {
      const { alice, bob, rollup } = scene;
      const nonce = new Uint8Array(32).fill(44);
      const noncePayer = new Keypair(new Uint8Array(32).fill(45));
      await rollup.setAccounts([[noncePayer.address, nonceAccount(alice.address, nonce)]]);
      const instructions = [advanceNonce(noncePayer.address, alice.address), pay(alice, bob, alice, 5n)];
      const transaction = buildTransaction(rollup, [noncePayer, alice.wallet], instructions, nonce);
      expect(rollup.simulate(transaction, OPTIONS).err).not.toBe('BlockhashNotFound');
      expect(nobody().simulate(transaction, OPTIONS)).toMatchObject({ err: 'BlockhashNotFound', logs: [] });
      expect(await nobody().submit(transaction)).toMatchObject({ err: 'BlockhashNotFound', landed: false });
    });
  });

  it('has the same result as preflight and as simulation', async () => {
    const { alice, bob, sam, views } = scene;
    const signed = build(alice.wallet, pay(alice, bob, alice, 5n));
    const toAlice = build(sam.wallet, pay(sam, alice, sam, 5n));
    const stop = new Error('that will do');
    const facts = (run: Simulation) => ({ ...run, accountAfter: run.accountAfter(alice.ata) });
    for (const reader of [null, sam.address, alice.address]) {
      const view = views.viewFor(reader);
      for (const transaction of [overdraft(sam, 1n), signed, unsigned(signed), toAlice]) {
        const heard: unknown[] = [];
        const preflight = (run: Simulation): never => {
          heard.push(facts(run));
          throw stop;
        };
        await expect(view.submit(transaction, { preflight })).rejects.toBe(stop);
        expect(heard).toEqual([facts(view.simulate(transaction, PREFLIGHT))]);
      }
    }
  });

  it('with another blockhash returns that blockhash, whether it ran or not', () => {
    const options = { ...OPTIONS, replaceBlockhash: true };
    const { blockhash } = scene.rollup.head();
    const run = scene.views.viewFor(null).simulate(overdraft(scene.sam, 1n), options);
    expect(run.replacementBlockhash).toMatchObject({ blockhash });
  });
});

describe('accounts that a lookup table names', () => {
  const TABLE = addressOf(new Uint8Array(32).fill(99));
  const blockhash = () => decodeBase58(scene.rollup.head().blockhash);

  beforeEach(async () => {
    const { alice, bob } = scene;
    await scene.rollup.setAccounts([[TABLE, lookupTable([alice.ata, bob.ata])]]);
  });

  it('are private like those in the message', () => {
    const memo = buildV0({
      payer: scene.sam.wallet,
      keys: [MEMO_PROGRAM],
      readonlyCount: 1,
      blockhash: blockhash(),
      instructions: [{ program: 1, accounts: [2], data: Buffer.from('x') }],
      lookups: [{ table: TABLE, writable: [], readonly: [0] }],
    });
    expect(scene.views.viewFor(scene.sam.address).simulate(memo, OPTIONS).err).toBe('AccountNotFound');
  });

  it('hide what landed with them', async () => {
    const { alice } = scene;
    const transfer = transferTokens(
      TOKEN_PROGRAM,
      { source: TABLE, destination: TABLE, authority: TABLE },
      1n,
    );
    const { signature, landed } = await scene.views.viewFor(null).submit(
      buildV0({
        payer: alice.wallet,
        keys: [TOKEN_PROGRAM],
        readonlyCount: 1,
        blockhash: blockhash(),
        instructions: [{ program: 1, accounts: [2, 3, 0], data: transfer.data }],
        lookups: [{ table: TABLE, writable: [0, 1], readonly: [] }],
      }),
    );
    expect(landed).toBe(true);
    const seen = told((view) => view.getTransaction(signature) !== null);
    expect(seen).toEqual({ nobody: false, sam: false, alice: true });
  });

  it('are left to the ledger to reject if the table does not exist', () => {
    const lost = buildV0({
      payer: scene.sam.wallet,
      keys: [MEMO_PROGRAM],
      readonlyCount: 1,
      blockhash: blockhash(),
      instructions: [{ program: 1, accounts: [2], data: Buffer.from('x') }],
      lookups: [{ table: MINT, writable: [], readonly: [0] }],
    });
    expect(() => scene.views.viewFor(null).simulate(lost, OPTIONS)).toThrow(TransactionRejected);
  });
});

describe('a submission', () => {
  it('is rejected like the simulation, so that its error reveals nothing more', async () => {
    const { sam, alice, views } = scene;
    const count = scene.rollup.transactionCount();
    for (const amount of [1n, ALICE_AMOUNT + 1n]) {
      const transaction = build(sam.wallet, pay(alice, sam, sam, amount));
      for (const reader of [null, sam.address]) {
        expect(await views.viewFor(reader).submit(transaction)).toMatchObject({
          err: 'AccountNotFound',
          landed: false,
        });
      }
    }
    expect(scene.rollup.transactionCount()).toBe(count);
  });

  it('of those who may read lands, with a token or without', async () => {
    const { sam, alice, views } = scene;
    const nobody = views.viewFor(null);
    expect(await nobody.submit(build(alice.wallet, pay(alice, sam, alice, 1n)))).toMatchObject({
      landed: true,
    });
    expect(await nobody.submit(build(sam.wallet, pay(sam, alice, sam, 1n)))).toMatchObject({ landed: true });
  });
});

describe('a transaction of version 1', () => {
  const buildV1 = (signer: Keypair, signers: readonly Keypair[], ...instructions: Instruction[]) =>
    signedVersion1(
      { feePayer: signer.address, blockhash: scene.rollup.head().blockhash, instructions },
      signers,
    );

  it('shows private tokens only to those who signed for them, and lands if their owner has', async () => {
    const { alice, bob, sam, views } = scene;
    const nobody = views.viewFor(null);
    const hidden = [
      buildV1(sam.wallet, [sam.wallet], pay(alice, sam, sam, 1n)),
      buildV1(alice.wallet, [], pay(alice, bob, alice, 5n)),
      // The signature of another message.
      { ...buildV1(alice.wallet, [], pay(alice, bob, alice, 5n)), ...forgedOf(alice.wallet, bob) },
    ];
    for (const transaction of hidden) {
      const run = nobody.simulate(transaction, OPTIONS);
      expect(run).toMatchObject({
        err: 'AccountNotFound',
        logs: [],
        computeUnits: 0,
        postTokenBalances: null,
      });
      expect((await nobody.submit(transaction)).landed).toBe(false);
    }
    const signed = buildV1(alice.wallet, [alice.wallet], pay(alice, bob, alice, 5n));
    expect(nobody.simulate(signed, OPTIONS).err).toBeNull();
    expect(await nobody.submit(signed)).toMatchObject({ landed: true });
    expect(nobody.getTransaction(signatureOf(signed))).toBeNull();
  });

  const forgedOf = (wallet: Keypair, to: Holder): Pick<Transaction, 'wire' | 'signatures'> => {
    const other = buildV1(wallet, [wallet], pay(scene.alice, to, scene.alice, 6n));
    const mine = buildV1(wallet, [], pay(scene.alice, to, scene.alice, 5n));
    const wire = Uint8Array.from(mine.wire);
    wire.set(other.signatures[0] as Uint8Array, mine.signaturesAt);
    return { wire, signatures: [wire.subarray(mine.signaturesAt)] };
  };
});

it('names the readers of an account', () => {
  const { views, alice } = scene;
  expect(views.readersOf(alice.ata)).toEqual([alice.address]);
  expect(views.readersOf(scene.bob.ata)).toBeNull();
});
