// What a ledger in this process is filled with, durably.

/** Transactions that wait for the disk together. */
const IN_FLIGHT = 256;
/** Accounts put in place at a time. */
const ACCOUNTS_AT_ONCE = 1_000;

/** Puts accounts in place. */
export async function putAccounts(ledger, accounts) {
  for (let at = 0; at < accounts.length; at += ACCOUNTS_AT_ONCE) {
    await ledger.setAccounts(accounts.slice(at, at + ACCOUNTS_AT_ONCE));
  }
}

/**
 * Submits so many transactions.
 *
 * @param sign makes the one with a number, on a blockhash.
 * @param onLanded told of each that has landed.
 * @throws {Error} if one fails.
 */
export async function submitMany(ledger, count, sign, onLanded = () => {}) {
  let next = 0;
  const submitOn = async () => {
    while (next < count) {
      const transaction = sign(next++, ledger.head().blockhash);
      const { err } = await ledger.submit(transaction);
      if (err !== null) throw new Error(JSON.stringify(err));
      onLanded(transaction);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, submitOn));
}
