// Takes each ledger folder it is sent, all at the same moment as others of its kind, and answers what came of
// it.
import { lockFolder } from '../../dist/ledger/store/folder-lock.js';

process.on('message', ({ folder, atMs }) => {
  while (Date.now() < atMs);
  try {
    lockFolder(folder);
    process.send('held');
  } catch (error) {
    process.send(error.code ?? error.message);
  }
});
process.send('up');
