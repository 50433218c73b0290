import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../errors/service-error.ts';
import { addressBytes, addressOf, type Address } from '../../solana/address.ts';
import { accountOf } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { addressesOf } from './account-addresses.ts';
import { encodeAccount } from './account-codec.ts';
import { walkAccounts } from './account-walk.ts';
import { ownedKey, ownerPrefix } from './account-keys.ts';
import { FLAGS_AT, LEAF_FLAG } from './lmdb-layout.ts';
import { LmdbTables } from './lmdb-tables.ts';

const PAGE_BYTES = 4096;
const OWNERS = 40;
/** Of each owner: about two pages. */
const ACCOUNTS = 50;
/** Few in the page, over a page of its own. */
const SIZES = [0, 60, 165, 3_000];

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

/** The places of pages with accounts of an owner. */
function leavesOf(bytes: Buffer, owner: Address): number[] {
  const prefix = Buffer.from(addressBytes(owner).subarray(0, 8));
  const found: number[] = [];
  for (let at = 2 * PAGE_BYTES; at < bytes.length; at += PAGE_BYTES) {
    const page = bytes.subarray(at, at + PAGE_BYTES);
    if (page.readUInt16LE(FLAGS_AT) === LEAF_FLAG && page.includes(prefix)) found.push(at);
  }
  return found;
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
    const whole = readFileSync(file);
    const [first, second] = [...wanted.keys()] as [Address, Address];
    const bytes = Buffer.from(whole);
    const [from, to] = [leavesOf(whole, first)[0], leavesOf(whole, second).at(-1)] as [number, number];
    whole.copy(bytes, from, to, to + PAGE_BYTES);
    whole.copy(bytes, to, from, from + PAGE_BYTES);
    writeFileSync(file, bytes);
    const tables = new LmdbTables(file);
    const damaged = [...wanted].filter(([program, addresses]) => {
      try {
        // Where these seem to be many they are walked through.
        const found =
          addressesOf(tables, { program }, ACCOUNTS) ??
          [...walkAccounts(tables, { program }, () => true)].flatMap((look) =>
            look === null ? [] : look[0],
          );
        expect(found.toSorted()).toEqual(addresses.toSorted());
        return false;
      } catch (error) {
        if (isServiceError(error) && error.code === 'LEDGER_DAMAGED') return true;
        throw error;
      }
    });
    expect(damaged.map(([program]) => program)).toEqual(expect.arrayContaining([first, second]));
    expect(damaged.length).toBeLessThan(6);
    await tables.close();
  });
});
