// Writes accounts of 1 KiB to the ledger folder in its argument until a write fails. Prints the number of
// acknowledged writes, the error, and the number of readable accounts.
import { openLedgerFolder } from '../../dist/ledger/store/ledger-folder.js';
import { addressOf } from '../../dist/solana/address.js';

const store = openLedgerFolder(process.argv[2]);
const account = { lamports: 1n, owner: addressOf(new Uint8Array(32)), executable: false, rentEpoch: 0n };
let acknowledged = 0;
let refusal;
while (refusal === undefined) {
  const address = addressOf(Buffer.alloc(32, String(acknowledged).padStart(32, '0')));
  const data = new Uint8Array(1024).fill(acknowledged);
  try {
    await store.commit({ slotCeiling: acknowledged + 1, accounts: [[address, { ...account, data }]] });
    acknowledged++;
  } catch (error) {
    refusal = error;
  }
}
const { code, message } = refusal;
const readable = [...store.accounts()].length;
await store.close();
console.log(JSON.stringify({ acknowledged, code, message, readable }));
