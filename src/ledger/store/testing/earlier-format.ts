import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { open } from 'lmdb';
import { decodeRecord } from '../record-codec.ts';
import { readNames } from '../record/compact-record.ts';
import { SealedTable } from '../sealed-table.ts';

/** The formats this can make. */
type EarlierFormat = 2 | 3 | 4 | 5 | 6;

/** The tables that formats lack, by the format they came with. */
const TABLES_OF = {
  4: ['messages'],
  5: ['owned', 'homes', 'holdings'],
  6: ['history', 'signed', 'mentions'],
} as const;

const ADDRESS_BYTES = 32;
const NOTHING = Buffer.alloc(0);

/** Where an entry goes: the table, its key there and its value. */
type Moved = readonly ['accounts' | 'records' | 'signatures' | 'naming', Uint8Array, Uint8Array];

/**
 * Turns the ledger in a folder, which has to be closed, into what releases of an earlier format wrote: before
 * 6 all transactions in the structured clone format of v8, found by their whole signatures and addresses;
 * before 5 all accounts by their addresses, and before 4 no messages. Large accounts must not have been
 * written in part for 2. For 6 transactions stay as this release writes them; `format-6-records.ts` has some
 * of that format.
 */
export async function toEarlierFormat(folder: string, format: EarlierFormat): Promise<void> {
  const place = { folder, file: 'ledger.mdb' };
  const root = open({
    path: join(folder, place.file),
    noSubdir: true,
    maxDbs: 16,
    eventTurnBatching: false,
  });
  const table = (name: string): SealedTable => new SealedTable(root, name, place);
  const meta = table('meta');
  const key = (name: string): Buffer => Buffer.from(name);
  const moved = [
    ...(format < 6 ? earlierRecords(table('history')) : []),
    ...(format < 5 ? earlierAccounts(table('owned')) : []),
  ];
  const into = { accounts: table('accounts'), records: table('records') };
  const finders = { signatures: table('signatures'), naming: table('naming') };
  const tables = { ...into, ...finders };
  root.transactionSync(() => {
    for (const [name, at, value] of moved) tables[name].put(at, value);
    const lacked = [6, 5, 4].flatMap((each) =>
      format < each ? TABLES_OF[each as keyof typeof TABLES_OF] : [],
    );
    for (const name of lacked) root.openDB({ name }).clearSync();
    const state = deserialize(meta.get(key('state')) as Buffer) as {
      counts: Record<string, number>;
      totals?: unknown;
    };
    for (const name of lacked) delete state.counts[name];
    for (const [name, { count }] of Object.entries(tables)) state.counts[name] = count;
    if (format < 5) delete state.totals;
    meta.put(key('state'), serialize(state));
    meta.put(key('format'), serialize(format));
  });
  await root.close();
}

/** Accounts by their addresses. */
function earlierAccounts(owned: SealedTable): Moved[] {
  return Array.from(owned.range({}), ([at, value]): Moved => [
    'accounts',
    at.subarray(at.length - ADDRESS_BYTES),
    value,
  ]);
}

/**
 * Transactions by their positions (signature 64, address count u32 little-endian, addresses, structured
 * clone), the positions by signature, and nothing by address and position.
 */
function earlierRecords(history: SealedTable): Moved[] {
  return Array.from(history.range({}), ([position, value]): Moved[] => {
    const { signature, names } = readNames(value);
    const count = Buffer.alloc(4);
    count.writeUInt32LE(names.length, 0);
    const record = serialize(decodeRecord(value));
    return [
      ['records', position, Buffer.concat([signature, count, ...names, record])],
      ['signatures', signature, position],
      ...names.map((name): Moved => ['naming', Buffer.concat([name, position]), NOTHING]),
    ];
  }).flat();
}
