import { beforeEach, describe, expect, it } from 'vitest';
import { HandTime } from '../../chain/testing/hand-time.ts';
import type { LedgerListener } from '../../ledger/ledger-events.ts';
import { Accounts } from '../../ledger/state/accounts.ts';
import { accountOf } from '../../ledger/testing/make-account.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { EPHEMERAL_TOKEN_PROGRAM, SYSVAR_OWNER } from '../../programs/addresses.ts';
import { transferQueueBytes } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { BooksView } from '../books/books.ts';
import { type CrankTask, TASK } from '../books/items.ts';
import { deletedItem, type Entry, itemEntry } from '../books/item.ts';
import { Crank } from './crank.ts';

const QUEUE = addressOf(new Uint8Array(32).fill(7));
const INTERVAL_MS = 500;

/** A queue whose first transfer is due at a time (ms); empty for null. */
function queueDueAt(readyAtMs: number | null): Entry {
  const data = new Uint8Array(transferQueueBytes(2));
  const view = new DataView(data.buffer);
  data[0] = 1;
  if (readyAtMs !== null) {
    view.setUint32(40, 1, true);
    view.setBigInt64(96 + 72, BigInt(readyAtMs), true);
  }
  return [QUEUE, accountOf(EPHEMERAL_TOKEN_PROGRAM, data)];
}

function taskOf(over: Partial<CrankTask> = {}): CrankTask {
  const accounts = [{ address: QUEUE, signer: false, writable: true }];
  return {
    taskId: 1n,
    authority: QUEUE,
    intervalMs: INTERVAL_MS,
    iterationsLeft: 2n ** 63n - 1n,
    instructions: [{ programId: EPHEMERAL_TOKEN_PROGRAM, accounts, data: Uint8Array.of(203) }],
    ...over,
  };
}

/** A task that belongs to no queue. */
const other = (over: Partial<CrankTask> = {}): CrankTask =>
  taskOf({
    instructions: [{ programId: EPHEMERAL_TOKEN_PROGRAM, accounts: [], data: Uint8Array.of(9) }],
    ...over,
  });

describe('the crank', () => {
  let time: HandTime;
  let accounts: Accounts;
  let crank: Crank;
  let runs: number[];
  let err: TransactionError | null;
  let errors: string[];
  let listener: LedgerListener;
  /** The change of the queue by a run of its task. */
  let afterRun: Entry | null;

  const commit = (...entries: Entry[]): void => {
    const changes = entries.map(([address, account]) => {
      const before = accounts.get(address) ?? null;
      accounts.set(address, account);
      return { address, before, after: account.lamports === 0n ? null : account };
    });
    listener({ kind: 'accounts', slot: 1, changes });
  };
  const clockAt = (unixMs: number): Entry => {
    const data = new Uint8Array(40);
    new DataView(data.buffer).setBigInt64(32, BigInt(Math.floor(unixMs / 1_000)), true);
    return [CLOCK_SYSVAR, accountOf(SYSVAR_OWNER, data)];
  };
  const books = () => new BooksView(accounts);

  beforeEach(() => {
    time = new HandTime();
    accounts = new Accounts();
    runs = [];
    err = null;
    errors = [];
    afterRun = null;
    const logger: Logger = { ...silentLogger, error: (_, message) => errors.push(message) };
    crank = new Crank({
      ledger: {
        state: () => accounts,
        getAccount: (address: Address) => accounts.get(address) ?? null,
        subscribe(heard) {
          listener = heard;
          return () => undefined;
        },
      },
      runner: {
        async run(_, { also = [] } = {}) {
          runs.push(time.now());
          if (err === null) commit(...also, ...(afterRun === null ? [] : [afterRun]));
          return err;
        },
      },
      timer: time,
      logger,
    });
  });

  it('runs a task at once, then at its interval, and counts the remaining runs', async () => {
    const start = time.now();
    commit(itemEntry(TASK, other({ iterationsLeft: 3n })));
    expect(runs).toEqual([start]);
    await time.pass(INTERVAL_MS * 5);
    expect(runs).toEqual([start, start + INTERVAL_MS, start + 2 * INTERVAL_MS]);
    expect(books().tasks()).toEqual([]);
    expect(time.waiting).toBe(0);
  });

  it('continues with the existing tasks when it starts', async () => {
    accounts.set(...itemEntry(TASK, other()));
    crank.start();
    await crank.idle();
    expect(runs).toHaveLength(1);
    expect(books().taskOf(1n)?.iterationsLeft).toBe(2n ** 63n - 2n);
  });

  it('has no timer for an empty queue, and runs when a payment is queued', async () => {
    commit(queueDueAt(null), itemEntry(TASK, taskOf()));
    await time.pass(60_000);
    expect(runs).toEqual([]);
    expect(time.waiting).toBe(0);
    afterRun = queueDueAt(null);
    commit(clockAt(time.now()), queueDueAt(time.now() - 5_000));
    expect(runs).toEqual([time.now()]);
    await time.pass(60_000);
    expect(runs).toHaveLength(1);
    expect(time.waiting).toBe(0);
  });

  it("waits until a payment is due by the ledger's clock, which can be moved", async () => {
    const due = time.now() + 3_600_000;
    commit(clockAt(time.now()), queueDueAt(due), itemEntry(TASK, taskOf()));
    await time.pass(10_000);
    expect(runs).toEqual([]);
    accounts.set(...clockAt(due + 1_000));
    await time.pass(INTERVAL_MS);
    expect(runs).toHaveLength(1);
  });

  it('runs the task of a queue at most once per interval, however many payments arrive', async () => {
    const start = time.now();
    commit(clockAt(start), queueDueAt(start - 1_000), itemEntry(TASK, taskOf()));
    for (let count = 0; count < 5; count++) commit(queueDueAt(start - 1_000));
    expect(runs).toEqual([start]);
    await time.pass(INTERVAL_MS);
    expect(runs).toEqual([start, start + INTERVAL_MS]);
  });

  it('retries a failed task with growing waits, and logs one error', async () => {
    err = 'AccountInUse';
    const start = time.now();
    commit(itemEntry(TASK, other()));
    await time.pass(3_000);
    expect(runs).toEqual([start, start + 1_000, start + 3_000]);
    expect(errors).toHaveLength(1);
    expect(books().taskOf(1n)?.iterationsLeft).toBe(2n ** 63n - 1n);
    err = null;
    await time.pass(4_000 + INTERVAL_MS);
    expect(runs.slice(3)).toEqual([start + 7_000, start + 7_000 + INTERVAL_MS]);
  });

  it('reports whether the task of a queue runs, fails or does not exist', async () => {
    expect(crank.taskOf(QUEUE)).toBe('none');
    commit(
      clockAt(time.now()),
      queueDueAt(null),
      itemEntry(TASK, taskOf()),
      itemEntry(TASK, other({ taskId: 2n })),
    );
    await crank.idle();
    expect(crank.taskOf(QUEUE)).toBe('running');
    err = 'AccountInUse';
    commit(queueDueAt(time.now() - 5_000));
    await crank.idle();
    expect(crank.taskOf(QUEUE)).toBe('failing');
    commit(deletedItem(TASK, { taskId: 1n }));
    expect(crank.taskOf(QUEUE)).toBe('none');
  });

  it('runs no task that was canceled, and none once it is closed', async () => {
    commit(itemEntry(TASK, other()));
    await time.pass(INTERVAL_MS);
    expect(runs).toHaveLength(2);
    commit(deletedItem(TASK, { taskId: 1n }));
    await time.pass(60_000);
    expect(runs).toHaveLength(2);
    commit(itemEntry(TASK, other()));
    expect(runs).toHaveLength(3);
    await crank.close();
    await time.pass(60_000);
    commit(itemEntry(TASK, other({ taskId: 2n })));
    expect(runs).toHaveLength(3);
    expect(time.waiting).toBe(0);
  });
});
