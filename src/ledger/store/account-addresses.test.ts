import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../errors/service-error.ts';
import { addressBytes, addressOf, type Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { TokenAccountQuery } from '../ledger.ts';
import type { AccountRange } from '../state/account-source.ts';
import { accountOf, tokenAccount } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { addressesOf } from './account-addresses.ts';
import { encodeAccount } from './account-codec.ts';
import { walkAccounts } from './account-walk.ts';
import { holdingRange, ownedKey, ownerPrefix } from './account-keys.ts';
import { AccountWrites, NO_ACCOUNTS } from './account-writes.ts';
import { LmdbTables } from './lmdb-tables.ts';
import { swapPages } from './testing/swap-pages.ts';

const OWNERS = 40;
/** Of each owner: about two pages. */
const ACCOUNTS = 50;
/** Few in the page, over a page of its own. */
const SIZES = [0, 60, 165, 3_000];

type Holder = TokenAccountQuery['holder'];
const HOLDERS: readonly Holder[] = ['mint', 'owner', 'delegate'];

/** A database with accounts of many owners, and where those of each are. */
async function write(): Promise<{ file: string; wanted: ReadonlyMap<Address, readonly Address[]> }> {
  const random = new SeededRandom('account addresses');
  const draw = (): Address => addressOf(random.bytes(32));
  const file = join(temporaryFolder(), 'ledger.mdb');
  const wanted = new Map<Address, Address[]>();
  const tables = new LmdbTables(file);
  await tables.write(() => {
    for (let i = 0; i < OWNERS * ACCOUNTS; i++) {
      const owner = [...wanted.keys()][i % OWNERS] ?? draw();
      const address = draw();
      const value = encodeAccount(accountOf(owner, random.bytes(SIZES[i % 7] ?? 100)));
      tables.owned.put(ownedKey(ownerPrefix(value), addressBytes(address)), value);
      wanted.set(owner, [...(wanted.get(owner) ?? []), address]);
    }
  });
  await tables.close();
  return { file, wanted };
}

/** The same of token accounts, by whose they are: each has a mint, a wallet and a delegate. */
async function writeTokens() {
  const random = new SeededRandom('token account addresses');
  const draw = (): Address => addressOf(random.bytes(32));
  const people = Array.from({ length: OWNERS }, draw);
  const wanted = new Map(HOLDERS.map((holder) => [holder, new Map<Address, Address[]>()]));
  const file = join(temporaryFolder(), 'ledger.mdb');
  const tables = new LmdbTables(file);
  await tables.write(() => {
    const writes = new AccountWrites(tables, NO_ACCOUNTS);
    for (let i = 0; i < OWNERS * ACCOUNTS; i++) {
      const [mint, owner, delegate] = [1, 7, 11].map((step) => people[(i * step) % OWNERS] as Address) as [
        Address,
        Address,
        Address,
      ];
      const address = draw();
      const value = encodeAccount(tokenAccount({ mint, owner }, 1n, { delegate }));
      writes.put(Buffer.from(addressBytes(address)), value);
      for (const [holder, person] of Object.entries({ mint, owner, delegate })) {
        const found = wanted.get(holder as Holder) as Map<Address, Address[]>;
        found.set(person, [...(found.get(person) ?? []), address]);
      }
    }
  });
  await tables.close();
  return { file, wanted };
}

/** A key of one of these accounts. */
const keyOf = (prefix: Buffer, addresses: readonly Address[]): Buffer =>
  ownedKey(prefix, addressBytes(addresses[0] as Address));

const prefixOf = (owner: Address): Buffer => Buffer.from(addressBytes(owner).subarray(0, 8));

const walked = (tables: LmdbTables, range: AccountRange): Address[] =>
  [...walkAccounts(tables, range, () => true)].flatMap((look) => (look === null ? [] : look[0]));

/** Whether a ledger is said to be damaged; if not, what is found is to be what is wanted. */
function isDamage(find: () => readonly Address[], wanted: readonly Address[]): boolean {
  try {
    expect(find().toSorted()).toEqual(wanted.toSorted());
    return false;
  } catch (error) {
    if (isServiceError(error) && error.code === 'LEDGER_DAMAGED') return true;
    throw error;
  }
}

describe('addressesOf', () => {
  it('finds all of an owner, and none where there are more than are asked for', async () => {
    const { file, wanted } = await write();
    const tables = new LmdbTables(file);
    for (const [program, addresses] of wanted) {
      expect(addressesOf(tables, { program }, ACCOUNTS)?.toSorted()).toEqual(addresses.toSorted());
      expect(addressesOf(tables, { program }, ACCOUNTS - 1)).toBeNull();
    }
    const nobody = addressOf(new Uint8Array(32).fill(9));
    expect(addressesOf(tables, { program: nobody }, 1)).toEqual([]);
    expect(addressesOf(tables, { all: true }, OWNERS * ACCOUNTS)).toHaveLength(OWNERS * ACCOUNTS);
    await tables.close();
  });

  it('says that the ledger is damaged where a page is another one, and leaves nothing out (bug: it did)', async () => {
    const { file, wanted } = await write();
    const [first, second] = [...wanted.keys()] as [Address, Address];
    const keys = [...wanted].map(([owner, addresses]) => keyOf(prefixOf(owner), addresses));
    swapPages(file, ...(keys as [Buffer, Buffer]));
    const tables = new LmdbTables(file);
    const damaged = [...wanted].filter(([program, addresses]) => {
      // Where these seem to be many they are walked through.
      const find = () => addressesOf(tables, { program }, ACCOUNTS) ?? walked(tables, { program });
      return isDamage(find, addresses);
    });
    expect(damaged.map(([program]) => program)).toEqual(expect.arrayContaining([first, second]));
    expect(damaged.length).toBeLessThan(6);
    await tables.close();
  });

  it('finds the token accounts of each mint, wallet and delegate', async () => {
    const { file, wanted } = await writeTokens();
    const tables = new LmdbTables(file);
    for (const [holder, found] of wanted) {
      for (const [address, addresses] of found) {
        const range = { holder, address, program: TOKEN_PROGRAM };
        expect(addressesOf(tables, range, addresses.length)?.toSorted()).toEqual(addresses.toSorted());
        expect(addressesOf(tables, range, addresses.length - 1)).toBeNull();
        expect(walked(tables, range).toSorted()).toEqual(addresses.toSorted());
      }
    }
    await tables.close();
  });

  it.each(HOLDERS)(
    'says that the ledger is damaged where a page of token accounts by %s is another one (bug: left them out)',
    async (holder) => {
      const { file, wanted } = await writeTokens();
      const ranges = [...(wanted.get(holder) as Map<Address, Address[]>)].map(
        ([address, addresses]) => [{ holder, address, program: TOKEN_PROGRAM }, addresses] as const,
      );
      const [[first], [second]] = ranges as [(typeof ranges)[0], (typeof ranges)[0]];
      const keys = ranges.map(([range, addresses]) => keyOf(holdingRange(range).start, addresses));
      swapPages(file, ...(keys as [Buffer, Buffer]));
      const tables = new LmdbTables(file);
      for (const find of [
        (range: TokenAccountQuery) => addressesOf(tables, range, 2 * ACCOUNTS) as readonly Address[],
        (range: TokenAccountQuery) => walked(tables, range),
      ]) {
        const damaged = ranges.filter(([range, addresses]) => isDamage(() => find(range), addresses));
        expect(damaged.map(([range]) => range)).toEqual(expect.arrayContaining([first, second]));
        expect(damaged.length).toBeLessThan(6);
      }
      await tables.close();
    },
  );
});
