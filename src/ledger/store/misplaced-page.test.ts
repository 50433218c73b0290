import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isServiceError } from '../../errors/service-error.ts';
import { silentLogger } from '../../ports/logger.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressBytes, addressOf } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { accountOf } from '../testing/make-account.ts';
import { makeRecord } from '../testing/make-record.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { shortKey } from './history/short-key.ts';
import { TRANSACTIONS_MAX } from './history-limit.ts';
import { LedgerDatabase } from './ledger-database.ts';
import { openLedgerFolder } from './ledger-folder.ts';
import { encodeMessageKey } from './message-key.ts';
import { swapPages } from './testing/swap-pages.ts';

const COUNT = 600;
const random = new SeededRandom('misplaced pages');

/** A transaction with its message, and an account that it changes. */
interface Landed {
  readonly address: ReturnType<typeof addressOf>;
  readonly record: ReturnType<typeof makeRecord>;
  readonly message: { readonly blockhashHeight: number; readonly digest: Buffer };
}

const signatureOf = ({ record }: Landed): Uint8Array => new Uint8Array(decodeBase58(record.signature));

async function write(): Promise<{ file: string; landed: readonly Landed[] }> {
  const folder = temporaryFolder();
  const store = openLedgerFolder(folder, { logger: silentLogger });
  const landed = Array.from({ length: COUNT }, (_, index): Landed => {
    const message = { blockhashHeight: 7, digest: Buffer.from(random.bytes(32)) };
    return {
      address: addressOf(random.bytes(32)),
      record: makeRecord(`misplaced ${index}`, { slot: 9, index }),
      message,
    };
  });
  await Promise.all(
    landed.map(({ address, record, message }) =>
      store.commit({
        slotCeiling: 9,
        accounts: [[address, accountOf(SYSTEM_PROGRAM, random.bytes(9))]],
        record,
        recordAddresses: [],
        message: { ...message, expiredBelow: 0 },
      }),
    ),
  );
  await store.close();
  return { file: join(folder, 'ledger.mdb'), landed };
}

/** A key as it lies in a node, behind its length. */
const inNode = (key: Uint8Array): Buffer => Buffer.concat([Buffer.of(key.length, 0), key]);

it.each<[string, (landed: Landed) => Uint8Array, (database: LedgerDatabase, landed: Landed) => boolean]>([
  [
    'no account is taken for none (bug: its balance was 0)',
    ({ address }) => addressBytes(address),
    (database, { address }) => database.account(address) !== undefined,
  ],
  [
    'no transaction is said not to have landed (bug: it was)',
    (landed) => shortKey(signatureOf(landed)),
    (database, landed) => database.record(signatureOf(landed)) !== null,
  ],
  [
    'no message is taken for one that has not landed (bug: it was taken once more)',
    ({ message }) => encodeMessageKey(message),
    (database, { message }) => database.hasMessage(message),
  ],
])('where a page lies in the place of another %s', async (_, keyOf, isFound) => {
  const { file, landed } = await write();
  const keys = landed.map((each) => Buffer.from(keyOf(each))).toSorted((one, other) => one.compare(other));
  swapPages(file, inNode(keys[150] as Buffer), inNode(keys[450] as Buffer));
  const database = new LedgerDatabase(file, TRANSACTIONS_MAX);
  onTestFinished(() => database.close());
  const outcomes = landed.map((each) => {
    try {
      return isFound(database, each);
    } catch (error) {
      if (isServiceError(error)) return error.code;
      throw error;
    }
  });
  expect(new Set(outcomes)).toEqual(new Set([true, 'LEDGER_DAMAGED']));
});
