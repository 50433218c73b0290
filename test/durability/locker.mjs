// Opens each ledger folder that it receives, at the same moment as other such processes, and sends the
// result. With a folder as argument, it opens that folder and kills itself.
import { openLedgerFolder } from '../../dist/ledger/store/ledger-folder.js';

const [, , left] = process.argv;
if (left !== undefined) {
  openLedgerFolder(left);
  process.kill(process.pid, 'SIGKILL');
}
process.on('message', async ({ folder, atMs }) => {
  while (Date.now() < atMs);
  try {
    const store = openLedgerFolder(folder);
    for (let n = 1; n <= 3; n++) await store.commit({ slotCeiling: n });
    if ([...store.accounts()].length === 0) process.send('held');
  } catch (error) {
    process.send(error.code ?? error.message);
  }
});
process.send('up');
