// Fills a new ledger in a folder with so many accounts and transactions, in process, and says what that took:
// `fill-ledger.mjs FOLDER ACCOUNTS TRANSACTIONS`. Beyond `BY_LEDGER_MAX` the accounts do not pass through the
// ledger and its journal: the writer of its database takes them in steps of `ACCOUNTS_A_STEP`, each one
// transaction of LMDB. The addresses are hashes, so the file grows in no order, as a real one does. Then
// `LARGE_PROGRAM_ACCOUNTS` of them are of one program.
import { join } from 'node:path';
import { encodeCommit } from '../../dist/ledger/store/encoded-commit.js';
import { LedgerDatabase } from '../../dist/ledger/store/ledger-database.js';
import { putAccounts, submitMany } from './fill.mjs';
import { openBenchLedger } from './open-bench-ledger.mjs';
import {
  LARGE_PROGRAM_ACCOUNTS,
  largeProgramAccounts,
  manyAccounts,
  signTransfer,
  walletAccounts,
} from './population.mjs';

const BY_LEDGER_MAX = 200_000;
/** Accounts of one LMDB transaction: what of the file it changes is in memory until its end. */
const ACCOUNTS_A_STEP = 50_000;
/** Whatever the ledger may keep: none is forgotten here. */
const TRANSACTIONS_MAX = 1_000_000;

const [folder, accountsText, transactionsText] = process.argv.slice(2);
const count = Number(accountsText);
const transactions = Number(transactionsText);

let started = performance.now();
if (count > BY_LEDGER_MAX) await fillDatabase();
const ledger = await openBenchLedger(folder);
const set = [...(count > BY_LEDGER_MAX ? [] : manyAccounts(count)), ...walletAccounts];
await putAccounts(ledger, set);
const accountsMs = performance.now() - started;

started = performance.now();
await submitMany(ledger, transactions, signTransfer);
const transactionsMs = performance.now() - started;
await ledger.close();
process.stdout.write(JSON.stringify({ accountsMs, transactionsMs }));

/** What a take-over does with the commits of a journal, with larger ones than a journal has. */
async function fillDatabase() {
  // The ledger begins in the ordinary way, and ends with an empty journal.
  await (await openBenchLedger(folder)).close();
  const database = new LedgerDatabase(join(folder, 'ledger.mdb'), TRANSACTIONS_MAX);
  for (const accounts of inSteps(allAccounts())) {
    const commit = encodeCommit({ accounts, slotCeiling: database.summary.slotCeiling });
    await database.take([{ sequence: database.taken + 1, commit }]);
  }
  await database.close();
}

function* allAccounts() {
  yield* manyAccounts(count - LARGE_PROGRAM_ACCOUNTS);
  yield* largeProgramAccounts();
}

function* inSteps(accounts) {
  let step = [];
  for (const account of accounts) {
    if (step.push(account) < ACCOUNTS_A_STEP) continue;
    yield step;
    step = [];
  }
  yield step;
}
