import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeJson } from '../../json/write-json.ts';
import { Accounts } from '../../ledger/state/accounts.ts';
import { silentLogger } from '../../ports/logger.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { showAccount } from '../accounts/account-encoding.ts';
import { compareKeys, type KeyedAccount } from '../accounts/account-lists.ts';
import { createDispatcher, type Dispatcher } from '../dispatcher.ts';
import { getProgramAccounts } from '../methods/account-methods.ts';
import { getTokenAccountsByOwner, getTokenLargestAccounts } from '../methods/token-methods.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith, mintData, tokenAccountData } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { Scans } from './scans.ts';

const ACCOUNT_COUNT = 20_000;
const MINT = addressFilledWith(4);
const OWNER = addressFilledWith(5);

/** A ledger whose accounts are found as the real one finds them. */
class IndexedLedger extends FixedLedger {
  readonly state = new Accounts();
  /** How often a member of an account was read. */
  readonly reads = { data: 0, lamports: 0 };

  override getAccount(address: Address): Account | null {
    return this.state.get(address) ?? null;
  }

  /** Adds an account whose reads are counted. */
  add(address: Address, account: Account): void {
    const { reads } = this;
    this.state.set(address, {
      ...account,
      get data() {
        reads.data += 1;
        return account.data;
      },
      get lamports() {
        reads.lamports += 1;
        return account.lamports;
      },
    });
  }

  override programAccounts(program: Address): Iterable<KeyedAccount> {
    return this.state.ownedBy(program);
  }

  override tokenAccounts(query: Parameters<FixedLedger['tokenAccounts']>[0]): Iterable<KeyedAccount> {
    return this.state.tokenAccounts(query);
  }
}

const addressAt = (number: number): Address =>
  addressOf(createHash('sha256').update(`account ${number}`).digest());

function fillLedger(accountCount: number): IndexedLedger {
  const ledger = new IndexedLedger();
  ledger.state.set(MINT, accountWith(mintData({ decimals: 2 })));
  for (let number = 0; number < accountCount; number++) {
    const data = tokenAccountData({ mint: MINT, owner: OWNER, amount: BigInt(number) });
    ledger.add(addressAt(number), accountWith(data));
  }
  return ledger;
}

function dispatcherOn(ledger: IndexedLedger, scans = new Scans()): Dispatcher {
  return createDispatcher({
    node: { ledger, version: '4.2.1', featureSet: 7 },
    methods: [getProgramAccounts, getTokenAccountsByOwner, getTokenLargestAccounts],
    batchMax: 3,
    logger: silentLogger,
    scans,
  });
}

const call = (method: string, ...params: readonly unknown[]): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

const IN_PROCESS_CLIENT = { address: 'client', isGone: () => false };

/** The answer that is made in one go. */
function expectedText(found: readonly KeyedAccount[]): string {
  const view = { encoding: 'base64', lookUp: () => null } as const;
  const list = found
    .toSorted(compareKeys)
    .map(([pubkey, account]) => ({ account: showAccount(pubkey, account, view), pubkey }));
  return `{"jsonrpc":"2.0","result":${writeJson(list)},"id":1}`;
}

describe(`a read of ${ACCOUNT_COUNT} accounts`, () => {
  let ledger: IndexedLedger;
  beforeAll(() => {
    ledger = fillLedger(ACCOUNT_COUNT);
  }, 120_000);

  it.each([
    // What each reads of an account when it is that one's turn, and not to know how long the answer gets.
    ['getProgramAccounts', [TOKEN_PROGRAM, { encoding: 'base64' }], 'lamports'],
    ['getTokenAccountsByOwner', [OWNER, { mint: MINT }, { encoding: 'base64' }], 'lamports'],
    ['getTokenLargestAccounts', [MINT], 'data'],
  ] as const)(
    'lets all other requests run in between: %s %j (bug: it delayed them for seconds)',
    async (method, params, member) => {
      const { reads } = ledger;
      const begun = reads[member];
      let turnBegun = begun;
      let longest = 0;
      const endTurn = (): void => {
        longest = Math.max(longest, reads[member] - turnBegun);
        turnBegun = reads[member];
      };
      // A clock that advances with the work: 0.1 ms for each account.
      const scans = new Scans({ now: () => reads[member] * 0.1, pause: async () => endTurn(), turnMs: 20 });
      const dispatch = dispatcherOn(ledger, scans);
      await Promise.all([
        dispatch(call(method, ...params), IN_PROCESS_CLIENT),
        dispatch(call(method, ...params), IN_PROCESS_CLIENT),
      ]);
      endTurn();
      expect(reads[member] - begun).toBeGreaterThanOrEqual(2 * ACCOUNT_COUNT);
      // The turns of both, and the accounts of one step more.
      expect(longest).toBeLessThanOrEqual(2 * 200 + 64);
    },
    120_000,
  );

  it('yields by the clock, on any machine (bug: one read blocked all others)', async () => {
    let nowMs = 0;
    let pauses = 0;
    const scans = new Scans({
      // As if each step took 0.1 ms.
      now: () => (nowMs += 0.1),
      pause: async () => void pauses++,
      turnMs: 20,
    });
    const answer = await dispatcherOn(
      ledger,
      scans,
    )(call('getProgramAccounts', TOKEN_PROGRAM, { dataSlice: { offset: 0, length: 0 } }));
    expect(JSON.parse(answer).result).toHaveLength(ACCOUNT_COUNT + 1);
    // A step for each account, and some for filtering and sorting.
    expect(pauses).toBeGreaterThan((ACCOUNT_COUNT * 0.1) / 20);
  }, 120_000);
});

describe('a read in turns', () => {
  const COUNT = 2_000;

  it('reflects the moment it started, to the byte', async () => {
    const ledger = fillLedger(COUNT);
    const expected = expectedText([...ledger.state.ownedBy(TOKEN_PROGRAM)]);
    let hasChanged = false;
    const change = async (): Promise<void> => {
      if (hasChanged) return;
      hasChanged = true;
      for (let number = 0; number < COUNT; number += 7) {
        ledger.state.set(addressAt(number), { ...accountWith(new Uint8Array(165)), lamports: 0n });
        ledger.state.set(addressAt(number + 1), accountWith(Uint8Array.of(1), OWNER));
        ledger.state.set(addressAt(COUNT + number), accountWith(Uint8Array.of(1)));
      }
    };
    const scans = new Scans({ pause: change, turnMs: 0 });
    const answer = await dispatcherOn(
      ledger,
      scans,
    )(call('getProgramAccounts', TOKEN_PROGRAM, { encoding: 'base64' }));
    expect(answer).toBe(expected);
    expect([...ledger.state.ownedBy(TOKEN_PROGRAM)]).not.toHaveLength(COUNT);
  });

  it('is abandoned at the maximum length (bug: all of it was written before it was rejected)', async () => {
    const ledger = fillLedger(COUNT);
    let steps = 0;
    const scans = new Scans({ now: () => ++steps });
    const dispatch = createDispatcher({
      node: { ledger, version: '4.2.1', featureSet: 7 },
      methods: [getProgramAccounts],
      batchMax: 3,
      answerLengthMax: 10_000,
      logger: silentLogger,
      scans,
    });
    const config = { encoding: 'base64', sortResults: false };
    expect(await dispatch(call('getProgramAccounts', TOKEN_PROGRAM, config))).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"The answer would have more than 10000 characters; request less at a time"},"id":1}',
    );
    expect(steps).toBeLessThan(300);
  });
});
