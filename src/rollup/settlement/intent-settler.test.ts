import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HandTime } from '../../chain/testing/hand-time.ts';
import { walletAccount } from '../../ledger/genesis/genesis.ts';
import { Keypair } from '../../ledger/keypair.ts';
import type { Submission } from '../../ledger/ledger.ts';
import { Accounts } from '../../ledger/state/accounts.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { BooksView, emptyBooks, intentEntries } from '../books/books.ts';
import type { Entry } from '../books/item.ts';
import type { NewIntent } from '../books/items.ts';
import { Projections } from '../projection/projections.ts';
import { validatorAccounts } from '../validator-accounts.ts';
import { IntentSettler } from './intent-settler.ts';
import { HaltedMints } from './solvency.ts';

/** The callback that marks an intent as a refund. */
const REFUND_CALLBACK = {
  actionIndex: 0,
  program: EPHEMERAL_TOKEN_PROGRAM,
  discriminator: Uint8Array.of(209),
  payload: new Uint8Array(0),
  computeUnits: 1,
  accounts: [],
};
const REFUND = { source: EPHEMERAL_TOKEN_PROGRAM, callbacks: [REFUND_CALLBACK] };

/** A settler of intents with a base ledger that answers as a test requires. */
describe('the answer of base to an intent', () => {
  const random = new SeededRandom('intents');
  const key = (): Address => addressOf(random.bytes(32));
  const validator = new Keypair(random.bytes(32));
  let time: HandTime;
  let rollup: Accounts;
  let told: string[];
  let submitted: string[];
  /** The oldest stored slot of base, and the current one. */
  let slots: { first: number; now: number };
  let answer: () => Promise<Pick<Submission, 'err' | 'landed'>>;
  let write: (entries: readonly Entry[]) => void;
  let settler: IntentSettler;
  const tell = (_: object, message: string) => void told.push(message);
  const logger: Logger = { ...silentLogger, error: tell, warn: tell };

  const put = (entries: readonly Entry[]): void => {
    for (const [address, account] of entries) rollup.set(address, account);
  };
  const books = (): BooksView => new BooksView(rollup);
  const schedule = (over: Partial<NewIntent> = {}): void => {
    const action = {
      program: key(),
      escrowIndex: 0,
      escrowAuthority: key(),
      data: random.bytes(9),
      computeUnits: 60_000,
      accounts: [],
    };
    const callback = {
      actionIndex: 0,
      program: key(),
      discriminator: Uint8Array.of(1),
      payload: new Uint8Array(0),
      computeUnits: 1,
      accounts: [],
    };
    const intent = {
      scheduledBy: encodeBase58(random.bytes(64)),
      source: key(),
      payer: key(),
      commits: [],
      lamports: [],
      actions: [action],
      callbacks: [callback],
      ...over,
    };
    put(intentEntries(books(), [intent]));
  };
  const beginAnew = (): void => {
    rollup = new Accounts();
    put(emptyBooks(encodeBase58(random.bytes(32))));
  };

  const open = (): IntentSettler => {
    const base = new Accounts();
    for (const [address, account] of validatorAccounts(validator.address)) base.set(address, account);
    base.set(key(), walletAccount(1n));
    const submit = async (transaction: Transaction): Promise<Submission> => {
      const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
      submitted.push(signature);
      return { signature, ...(await answer()) };
    };
    const halted = new HaltedMints({
      halted: new Map(),
      timer: time,
      logger,
      check: () => undefined,
      onReopened: () => undefined,
    });
    return new IntentSettler({
      base: {
        genesisHash: encodeBase58(random.bytes(32)),
        state: () => base,
        publishedState: () => base,
        unpublished: () => [],
        head: () => ({
          slot: slots.now,
          blockHeight: 1,
          blockhash: encodeBase58(random.bytes(32)),
          lastValidBlockHeight: 151,
        }),
        historyStart: () => slots.first,
        getTransaction: () => null,
        setOwnAccounts: async () => undefined,
        subscribe: () => () => undefined,
        observe: () => () => undefined,
        submit,
      },
      ledger: { state: () => rollup, setOwnAccounts: async (entries) => write(entries) },
      projections: new Projections(),
      validator,
      random,
      timer: time,
      logger,
      halted,
      processSettled: async () => undefined,
      wake: () => undefined,
    });
  };

  beforeEach(() => {
    time = new HandTime();
    told = [];
    submitted = [];
    slots = { first: 0, now: 10 };
    write = put;
    beginAnew();
    answer = async () => ({ err: null, landed: true });
    settler = open();
  });
  afterEach(() => settler.close());

  it('is ignored if the rollup was reset in the meantime and counts intents from one again', async () => {
    schedule();
    answer = async () => {
      beginAnew();
      schedule();
      return { err: { InstructionError: [0, { Custom: 1 }] }, landed: true };
    };
    await settler.step();
    expect(books().intents()).toMatchObject([{ id: 1n, sent: null }]);
    expect(books().callbacks()).toEqual([]);
  });

  it('is not requested for an intent from before a reset of the rollup', async () => {
    schedule();
    // Its account is not on the rollup, so it is rejected while the first one is about to be sent.
    schedule({ commits: [{ eata: key(), isUndelegation: true }] });
    let isAnew = false;
    write = () => {
      isAnew = true;
      beginAnew();
      schedule();
    };
    await settler.step();
    expect([isAnew, submitted]).toEqual([true, []]);
    expect(books().intents()).toMatchObject([{ id: 1n, sent: null }]);
  });

  it('that its blockhash has expired is not logged: it is signed again a second later', async () => {
    schedule();
    answer = async () => ({ err: 'BlockhashNotFound', landed: false });
    await settler.step();
    expect([told, settler.stalledCount]).toEqual([[], 1]);
    expect(await settler.step()).toBe(false);
    answer = async () => ({ err: null, landed: true });
    await time.pass(1_000);
    await settler.step();
    expect(new Set(submitted).size).toBe(2);
    expect([told, settler.stalledCount]).toEqual([[], 0]);
  });

  describe('after a crash', () => {
    /** The payment was sent in slot 10, and the process died before it knew the outcome. */
    const crash = async (): Promise<void> => {
      schedule();
      answer = () => Promise.reject(new Error('the process died'));
      await expect(settler.step()).rejects.toThrow('died');
      settler.close();
      answer = async () => ({ err: null, landed: true });
      settler = open();
      expect(books().intents()[0]?.sent?.slot).toBe(10n);
    };

    it('shows that a payment did not land if its history is long enough: it is sent again', async () => {
      await crash();
      slots = { first: 10, now: 5_000 };
      await settler.step();
      expect([submitted.length, settler.held, told]).toEqual([2, [], []]);
    });

    it('is unknown if base dropped that history: the payment is held, logged, and never sent again', async () => {
      await crash();
      const [payment] = books().intents();
      slots = { first: 11, now: 5_000 };
      schedule(payment && { payer: payment.payer });
      await settler.step();
      // The next payment of the same queue was made.
      expect([submitted.length, settler.held]).toEqual([2, [1n]]);
      expect(
        books()
          .intents()
          .map(({ id }) => id),
      ).toEqual([1n, 2n]);
      expect(told).toEqual([expect.stringContaining('PAYMENT HELD')]);
      await time.pass(120_000);
      expect([settler.held, told.length]).toEqual([[1n], 1]);
      expect(submitted.filter((each) => each === payment?.sent?.signature)).toHaveLength(1);
    });
  });

  it('stays known if base drops that history before the next attempt', async () => {
    schedule();
    answer = async () => ({ err: 'ClusterMaintenance', landed: false });
    await settler.step();
    slots = { first: 11, now: 5_000 };
    answer = async () => ({ err: null, landed: true });
    await time.pass(1_000);
    await settler.step();
    expect([submitted.length, settler.held]).toEqual([2, []]);
  });

  it.each([
    ['without a restart', (): void => undefined],
    [
      'after a restart',
      (): void => {
        settler.close();
        settler = open();
      },
    ],
  ])(
    'that it rejected a refund is remembered after base drops that history (bug: held forever), %s',
    async (_, goOn) => {
      schedule(REFUND);
      answer = async () => ({ err: { InstructionError: [1, { Custom: 17 }] }, landed: true });
      await settler.step();
      goOn();
      slots = { first: 11, now: 5_000 };
      answer = async () => ({ err: null, landed: true });
      await time.pass(1_000);
      await settler.step();
      expect([submitted.length, settler.held]).toEqual([2, []]);
    },
  );
});
