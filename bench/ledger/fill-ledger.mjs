// Fills a new ledger in a folder with so many accounts and transactions, in process, and says what that took:
// `fill-ledger.mjs FOLDER ACCOUNTS TRANSACTIONS`.
import { openBenchLedger } from './open-bench-ledger.mjs';
import { manyAccounts, signTransfer, walletAccounts } from './population.mjs';

/** Transactions that wait for the disk together. */
const IN_FLIGHT = 256;
/** Accounts put in place at a time. */
const ACCOUNTS_AT_ONCE = 1_000;

const [folder, accountsText, transactionsText] = process.argv.slice(2);
const accounts = [...manyAccounts(Number(accountsText)), ...walletAccounts];
const transactions = Number(transactionsText);

const ledger = await openBenchLedger(folder);
let started = performance.now();
for (let at = 0; at < accounts.length; at += ACCOUNTS_AT_ONCE) {
  await ledger.setAccounts(accounts.slice(at, at + ACCOUNTS_AT_ONCE));
}
const accountsMs = performance.now() - started;

started = performance.now();
let next = 0;
async function submitOn() {
  while (next < transactions) {
    const { err } = await ledger.submit(signTransfer(next++, ledger.head().blockhash));
    if (err !== null) throw new Error(JSON.stringify(err));
  }
}
await Promise.all(Array.from({ length: IN_FLIGHT }, submitOn));
const transactionsMs = performance.now() - started;
await ledger.close();
process.stdout.write(JSON.stringify({ accountsMs, transactionsMs }));
