import { afterEach, describe, expect, it } from 'vitest';
import { GONE } from '../../ledger/run/account-states.ts';
import type { LedgerStore } from '../../ledger/store/store.ts';
import { MAGIC_CONTEXT, MAGIC_PROGRAM } from '../../programs/addresses.ts';
import { concat } from '../../programs/instruction-data.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { CrashStores, type StorePair } from '../testing/crash-stores.ts';
import { accountsOf, openScene, type RollupScene } from '../testing/rollup-scene.ts';
import { isOfBooks, ROLLUP_BOOKS } from './books-address.ts';
import { BooksView } from './books.ts';

let scene: RollupScene;
afterEach(() => scene.close());

/** A rollup that was asked for the eATAs of two wallets, in this order, and then stopped. */
async function leaveRequests(stores: CrashStores): Promise<readonly [Address, Address]> {
  scene = await openScene(stores.open(), { refuses: () => 'ClusterMaintenance' });
  const [alice, bob] = [await scene.depositor(5n), await scene.depositor(6n)] as const;
  await scene.must(scene.rollup, bob, scene.undelegation(bob));
  await scene.must(scene.rollup, alice, scene.undelegation(alice));
  await scene.rollup.settled();
  await scene.close();
  return [bob.address, alice.address];
}

const accountsIn = (store: LedgerStore): Map<Address, Account> => new Map(store.accounts());

/** Puts the books down as they were kept in one account. */
async function keepInOne({ base, rollup }: StorePair, place: Address): Promise<void> {
  const view = new BooksView(viewOf(rollup));
  const requests = view
    .requests()
    .map(({ eata, undelegation, signature }) =>
      concat(
        addressBytes(eata),
        decodeBase58(undelegation),
        signature === null ? new Uint8Array(64) : decodeBase58(signature),
      ),
    );
  expect(requests).toHaveLength(2);
  const data = concat(Uint8Array.of(2), decodeBase58(view.baseGenesisHash), ...requests);
  const goneIn = (store: LedgerStore) =>
    [...accountsIn(store).keys()].filter(isOfBooks).map((address) => [address, GONE] as const);
  const blob = { ...GONE, owner: MAGIC_PROGRAM, lamports: 1n, data };
  await rollup.commit({ slotCeiling: rollup.slotCeiling, accounts: [...goneIn(rollup), [place, blob]] });
  await base.commit({ slotCeiling: base.slotCeiling, accounts: goneIn(base) });
}

describe.each([
  ['in one account', ROLLUP_BOOKS],
  ['at the Magic context', MAGIC_CONTEXT],
])('books that were kept %s', (_, place) => {
  it('are gone on with, in their order and with what was signed, in one commit', async () => {
    const stores = new CrashStores();
    const owners = await leaveRequests(stores);
    const pair = stores.open();
    const before = new BooksView(viewOf(pair.rollup)).requests();
    expect(before.map(({ eata }) => eata)).toEqual(owners.map((owner) => accountsOf(owner).eata));
    expect(before.every(({ signature }) => signature !== null)).toBe(true);
    await keepInOne(pair, place);
    const count = stores.written.length;
    scene = await openScene(stores.open(), { refuses: () => 'ClusterMaintenance' });
    const moved = stores.written
      .slice(count)
      .map(({ commit }) => (commit.accounts ?? []).filter(([address]) => isOfBooks(address)).length);
    // In the first of those that change the books: header, two requests and their counter.
    expect(moved.find((changed) => changed > 0)).toBe(4);
    expect(new Map(stores.open().rollup.accounts()).get(MAGIC_CONTEXT)).toBeUndefined();
    const books = new BooksView({
      get: (address) => scene.rollup.getAccount(address) ?? undefined,
      ownedBy: (program) => scene.rollup.programAccounts(program),
    });
    expect(books.requests().map(({ eata, undelegation }) => [eata, undelegation])).toEqual(
      before.map(({ eata, undelegation }) => [eata, undelegation]),
    );
    expect(books.nextRequest).toBe(3n);
    await scene.close();

    scene = await openScene(stores.open());
    await scene.rollup.settled();
    expect(scene.rollup.settlement.pending).toBe(0);
    expect(owners.map((owner) => scene.eataTokens(scene.base, owner))).toEqual([6n, 5n]);
  });

  it('of a version nobody knows are not guessed at', async () => {
    const stores = new CrashStores();
    await leaveRequests(stores);
    const pair = stores.open();
    await keepInOne(pair, place);
    const blob = accountsIn(pair.rollup).get(place) as Account;
    const data = new Uint8Array(blob.data);
    data[0] = 1;
    await pair.rollup.commit({
      slotCeiling: pair.rollup.slotCeiling,
      accounts: [[place, { ...blob, data }]],
    });
    await expect(openScene(stores.open())).rejects.toMatchObject({ code: 'LEDGER_FOLDER_UNREADABLE' });
  });
});

function viewOf(store: LedgerStore) {
  const accounts = accountsIn(store);
  return {
    get: (address: Address) => accounts.get(address),
    ownedBy: (program: Address) => [...accounts].filter(([, { owner }]) => owner === program),
  };
}
