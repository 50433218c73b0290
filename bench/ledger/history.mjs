// What a new ledger's history takes: `history.mjs FOLDER KIND TRANSACTIONS ROUNDS READS`. Fills a folder with
// so many durable transactions of a kind, closes the ledger, which leaves all of them in its database, and
// looks at the pages that the tables of the history have there. Then it opens the ledger again and reads that
// many of them by signature in each round. Prints the bytes of a transaction on the wire, those of the pages
// of each table for it, and the CPU time of a read in each round, us.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { open } from 'lmdb';
import { encodeBase58 } from '../../dist/solana/base58.js';
import { putAccounts, submitMany } from './fill.mjs';
import { openBenchLedger } from './open-bench-ledger.mjs';
import {
  manyAccounts,
  signCheckedTransfer,
  signTokenTransfer,
  signTokenTransferTo,
  signTransfer,
  SMALL_PROGRAM_ACCOUNTS,
  tokenAccountAt,
  walletAccounts,
  walletTokenAccounts,
} from './population.mjs';

/** The tables that a transaction is in. */
const TABLES = ['history', 'signed', 'mentions'];

const [folder, kind, transactionsText, roundsText, readsText] = process.argv.slice(2);
const count = Number(transactionsText);

/** The accounts that a kind needs beside the wallets' own, and its transactions. */
const kinds = {
  lamports: { accounts: [], sign: signTransfer },
  tokens: { accounts: [], sign: signTokenTransfer },
  checked: { accounts: [], sign: signCheckedTransfer },
  fresh: {
    accounts: manyAccounts(count + SMALL_PROGRAM_ACCOUNTS),
    sign: (number, blockhash) => signTokenTransferTo(tokenAccountAt(number), number, blockhash),
  },
};

const { signatures, wireBytes } = await fill(kinds[kind]);
const tables = measureTables();
const readMicros = await readBack(signatures);
process.stdout.write(JSON.stringify({ wireBytes, tables, readMicros }));

/** Signatures of what landed, and the mean of their bytes on the wire. */
async function fill({ accounts, sign }) {
  const ledger = await openBenchLedger(folder);
  await putAccounts(ledger, [...walletAccounts, ...walletTokenAccounts, ...accounts]);
  const landed = [];
  let bytes = 0;
  await submitMany(ledger, count, sign, (transaction) => {
    landed.push(encodeBase58(transaction.signatures[0]));
    bytes += transaction.wire.length;
  });
  await ledger.close();
  return { signatures: landed, wireBytes: bytes / count };
}

/** What LMDB itself says of each table: the bytes of its pages a transaction, and its entries. */
function measureTables() {
  const database = open({ path: join(folder, 'ledger.mdb'), noSubdir: true, readOnly: true, maxDbs: 16 });
  const { pageSize } = database.getStats();
  const measured = TABLES.map((name) => {
    const table = database.openDB({ name, encoding: 'binary', keyEncoding: 'binary' });
    const { treeBranchPageCount, treeLeafPageCount, overflowPages, entryCount } = table.getStats();
    if (name !== 'mentions' && entryCount !== count) {
      throw new Error(`${name} has ${entryCount} entries for ${count} transactions`);
    }
    const bytesOf = (pages) => (pages * pageSize) / count;
    return {
      name,
      branchBytes: bytesOf(treeBranchPageCount),
      leafBytes: bytesOf(treeLeafPageCount),
      overflowBytes: bytesOf(overflowPages),
    };
  });
  database.close();
  return measured;
}

/** CPU time of a read in each round, after one that lets the compiler have its way, us. */
async function readBack(landed) {
  const ledger = await openBenchLedger(folder);
  const micros = [];
  for (let round = 0; round <= Number(roundsText); round++) {
    const asked = Array.from({ length: Number(readsText) }, () => landed[randomInt(landed.length)]);
    const before = process.cpuUsage();
    for (const signature of asked) {
      const record = ledger.getTransaction(signature);
      if (record?.signature !== signature) throw new Error(`${signature} is missing`);
    }
    const { user, system } = process.cpuUsage(before);
    if (round > 0) micros.push((user + system) / asked.length);
  }
  await ledger.close();
  return micros;
}
