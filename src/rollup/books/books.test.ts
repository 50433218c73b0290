import { describe, expect, it, vi } from 'vitest';
import { Accounts } from '../../ledger/state/accounts.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { type Address, addressBytes, addressOf, isAddress } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { OverlayAccounts } from '../overlay/overlay.ts';
import { BooksView } from './books.ts';
import * as entries from './books.ts';
import {
  BOOKS_VERSION,
  booksAccount,
  deletedItem,
  type Entry,
  headerEntry,
  isOfBooks,
  itemAddress,
  itemEntry,
  ROLLUP_BOOKS,
} from './item.ts';
import {
  CALLBACK_CALL,
  EPHEMERAL,
  INTENT,
  type IntentCallback,
  type NewIntent,
  REQUEST,
  RESCUE,
  TASK,
} from './items.ts';

const random = new SeededRandom('books');
const key = (): Address => addressOf(random.bytes(32));
const signature = (): string => encodeBase58(random.bytes(64));

/** Books that are written commit by commit, like those of a ledger. */
class Books extends BooksView {
  readonly accounts: Accounts;

  constructor(accounts = new Accounts()) {
    super(accounts);
    this.accounts = accounts;
  }

  commit(...changes: readonly Entry[]): void {
    for (const [address, account] of changes) this.accounts.set(address, account);
  }
}

const callback = (): IntentCallback => ({
  actionIndex: 0,
  program: key(),
  discriminator: Uint8Array.of(208),
  payload: random.bytes(13),
  computeUnits: 120_000,
  accounts: [
    { address: key(), isWritable: true },
    { address: key(), isWritable: false },
  ],
});

function newIntent(over: Partial<NewIntent> = {}): NewIntent {
  return {
    scheduledBy: signature(),
    source: key(),
    payer: key(),
    commits: [],
    lamports: [],
    actions: [
      {
        program: key(),
        escrowIndex: 255,
        escrowAuthority: key(),
        data: random.bytes(11),
        computeUnits: 60_000,
        accounts: [{ address: key(), isWritable: true }],
      },
    ],
    callbacks: [callback()],
    ...over,
  };
}

describe('an address of the books', () => {
  it('is valid and shows that it belongs to the books', () => {
    for (let kind = 0; kind < 256; kind++) {
      const address = itemAddress(kind, addressBytes(key()));
      expect(isAddress(address), address).toBe(true);
      expect(isOfBooks(address)).toBe(true);
    }
    expect(isOfBooks(ROLLUP_BOOKS)).toBe(true);
    expect(isOfBooks(key())).toBe(false);
  });

  it('differs for each kind and each key', () => {
    const [one, two] = [addressBytes(key()), addressBytes(key())];
    const addresses = [1, 2].flatMap((kind) => [itemAddress(kind, one), itemAddress(kind, two)]);
    expect(new Set(addresses).size).toBe(4);
  });
});

describe('the header', () => {
  it('names the base ledger', () => {
    const books = new Books();
    expect(() => books.baseGenesisHash).toThrow('no books');
    books.commit(headerEntry(key()));
    const hash = key();
    books.commit(headerEntry(hash));
    expect(books.baseGenesisHash).toBe(hash);
  });

  it('of another version is rejected', () => {
    const books = new Books();
    const [, account] = headerEntry(key());
    const data = new Uint8Array(account.data);
    data[0] = BOOKS_VERSION + 1;
    books.commit([ROLLUP_BOOKS, { ...account, data }]);
    expect(() => books.baseGenesisHash).toThrow('another version');
  });
});

describe('requests', () => {
  it('are listed in the order of acceptance, and found by eATA', () => {
    const books = new Books();
    const wanted = Array.from({ length: 20 }, () => ({ eata: key(), undelegation: signature() }));
    books.commit(...entries.newRequestEntries(books, wanted.slice(0, 15)));
    books.commit(...entries.newRequestEntries(books, wanted.slice(15)));
    expect(books.requests()).toEqual(
      wanted.map((each, index) => ({ ...each, sequence: BigInt(index + 1), signature: null })),
    );
    expect(books.requestOf(wanted[7]?.eata as Address)?.sequence).toBe(8n);
    expect(books.isGoingBack(wanted[7]?.eata as Address)).toBe(true);
    expect(books.requestOf(key())).toBeNull();
  });

  it('store the signature of their transaction, and are deleted when done', () => {
    const books = new Books();
    const [first, second] = [key(), key()];
    const undelegation = signature();
    books.commit(
      ...entries.newRequestEntries(books, [
        { eata: first, undelegation },
        { eata: second, undelegation },
      ]),
    );
    const sent = signature();
    const request = books.requestOf(first);
    if (request === null) throw new Error('there is no request');
    books.commit(itemEntry(REQUEST, { ...request, signature: sent }));
    expect(books.requests().map((each) => each.signature)).toEqual([sent, null]);
    books.commit(deletedItem(REQUEST, { eata: first }));
    expect(books.requests().map(({ eata }) => eata)).toEqual([second]);
    expect(books.isGoingBack(first)).toBe(false);
  });

  it('never reuse a sequence', () => {
    const books = new Books();
    const [first, second] = [key(), key()];
    books.commit(...entries.newRequestEntries(books, [{ eata: first, undelegation: signature() }]));
    books.commit(deletedItem(REQUEST, { eata: first }));
    books.commit(...entries.newRequestEntries(books, [{ eata: second, undelegation: signature() }]));
    expect(books.requestOf(second)?.sequence).toBe(2n);
  });
});

describe('intents', () => {
  it('are stored completely, in order', () => {
    const books = new Books();
    const commits = [
      { eata: key(), isUndelegation: true },
      { eata: key(), isUndelegation: false },
    ];
    const intents = [newIntent({ commits, lamports: [key()] }), newIntent({ actions: [], callbacks: [] })];
    books.commit(...entries.intentEntries(books, intents));
    expect(books.intents()).toEqual(
      intents.map((intent, index) => ({ ...intent, id: BigInt(index + 1), sent: null })),
    );
    expect(books.nextIntent).toBe(3n);
    const [intent] = books.intents();
    if (intent === undefined) throw new Error('there is no intent');
    const sent = { ...intent, sent: { signature: signature(), wire: random.bytes(900), slot: 123_456n } };
    books.commit(itemEntry(INTENT, sent));
    expect(books.intents()[0]).toEqual(sent);
  });

  it('freeze what they return until they have ended, and nothing else', () => {
    const books = new Books();
    const [back, stays, carrier] = [key(), key(), key()];
    const commits = [
      { eata: back, isUndelegation: true },
      { eata: stays, isUndelegation: false },
    ];
    books.commit(...entries.intentEntries(books, [newIntent(), newIntent({ commits, lamports: [carrier] })]));
    expect([back, stays, carrier].map((each) => books.isGoingBack(each))).toEqual([true, false, true]);
    expect(books.intentHolding(back)).toBe(2n);
    const [, intent] = books.intents();
    if (intent === undefined) throw new Error('there is no intent');
    books.commit(...entries.endedIntentEntries(intent, []));
    expect([back, stays, carrier].some((each) => books.isGoingBack(each))).toBe(false);
    expect(books.intents().map(({ id }) => id)).toEqual([1n]);
  });

  it('leave their callbacks when they end, each until it has run', () => {
    const books = new Books();
    books.commit(...entries.intentEntries(books, [newIntent({ callbacks: [callback(), callback()] })]));
    const [intent] = books.intents();
    if (intent === undefined) throw new Error('there is no intent');
    const calls = intent.callbacks.map((each, index) => ({
      intentId: intent.id,
      index,
      callback: each,
      ok: index === 0,
      error: index === 0 ? '' : 'the account is frozen ❄',
      receipt: index === 0 ? signature() : null,
    }));
    books.commit(...entries.endedIntentEntries(intent, calls));
    expect(books.intents()).toEqual([]);
    expect(books.callbacks()).toEqual(calls);
    books.commit(deletedItem(CALLBACK_CALL, { intentId: intent.id, index: 0 }));
    expect(books.callbacks()).toEqual(calls.slice(1));
  });
});

describe('tasks, ephemeral accounts and rescues', () => {
  it('are stored and found by key', () => {
    const books = new Books();
    const task = {
      taskId: -5n,
      authority: key(),
      intervalMs: 500,
      iterationsLeft: 2n ** 63n - 1n,
      instructions: [
        {
          programId: key(),
          accounts: [
            { address: key(), signer: false, writable: true },
            { address: key(), signer: true, writable: false },
          ],
          data: Uint8Array.of(203),
        },
      ],
    };
    const ephemeral = { address: key(), sponsor: key(), program: key(), reader: key() };
    const rescue = { account: key(), reason: 'its actions failed' };
    books.commit(
      itemEntry(TASK, task),
      itemEntry(EPHEMERAL, ephemeral),
      itemEntry(RESCUE, { ...rescue, signature: null }),
    );
    expect(books.tasks()).toEqual([task]);
    expect(books.taskOf(-5n)).toEqual(task);
    expect(books.taskOf(5n)).toBeNull();
    expect(books.ephemerals()).toEqual([ephemeral]);
    expect(books.ephemeralOf(ephemeral.address)).toEqual(ephemeral);
    expect(books.rescues()).toEqual([{ ...rescue, signature: null }]);
    const signed = { ...rescue, signature: signature() };
    books.commit(itemEntry(RESCUE, signed));
    expect(books.rescueOf(rescue.account)).toEqual(signed);
    books.commit(
      deletedItem(TASK, { taskId: -5n }),
      deletedItem(EPHEMERAL, { address: ephemeral.address }),
      deletedItem(RESCUE, { account: rescue.account }),
    );
    expect([books.tasks(), books.ephemerals(), books.rescues()]).toEqual([[], [], []]);
  });
});

describe('accounts outside the books', () => {
  it('are ignored, although anyone can assign an account to their owner', () => {
    const books = new Books();
    const [[address, account]] = entries.newRequestEntries(books, [
      { eata: key(), undelegation: signature() },
    ]) as [Entry];
    books.commit([key(), account], [key(), booksAccount(Uint8Array.of(9, 9))]);
    expect(books.requests()).toEqual([]);
    // At the address of another item: content and address must match.
    books.commit([itemAddress(2, addressBytes(key())), account]);
    expect(books.requests()).toEqual([]);
    books.commit([address, account]);
    expect(books.requests()).toHaveLength(1);
  });

  it('are not searched on base (bug: everything of that owner on base was read)', () => {
    const base = new Accounts();
    base.set(key(), booksAccount(new Uint8Array(10_000_000)));
    const looked = vi.spyOn(base, 'ownedBy');
    const overlay = new OverlayAccounts(() => base, []);
    const books = new BooksView(overlay);
    for (const [address, account] of entries.newRequestEntries(books, [
      { eata: key(), undelegation: signature() },
    ])) {
      overlay.set(address, account);
    }
    expect(books.requests()).toHaveLength(1);
    expect([books.intents(), books.tasks(), books.callbacks(), books.ephemerals(), books.rescues()]).toEqual(
      Array.from({ length: 5 }, () => []),
    );
    expect(looked).not.toHaveBeenCalled();
  });

  it('are ignored at the address of an item if they have another owner', () => {
    const books = new Books();
    const eata = key();
    const [[address, account]] = entries.newRequestEntries(books, [{ eata, undelegation: signature() }]) as [
      Entry,
    ];
    books.commit([address, { ...account, owner: key() }]);
    expect(books.requestOf(eata)).toBeNull();
  });
});

it('are rejected if an item is too short or too long', () => {
  const books = new Books();
  const eata = key();
  const [[address, account]] = entries.newRequestEntries(books, [{ eata, undelegation: signature() }]) as [
    Entry,
  ];
  for (const data of [account.data.slice(0, -1), Uint8Array.from([...account.data, 0])]) {
    books.commit([address, { ...account, data }]);
    expect(() => books.requestOf(eata)).toThrow('another version');
  }
});
