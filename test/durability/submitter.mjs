// Opens the ledger in a folder and moves lamports between wallets until it is killed (argument: SubmitterTask
// in kill-rounds.ts). Prints a line for each head that it reads (`h slot height blockhash`), one before each
// submission (`s signature from to lamports wire`), and one after each acknowledgement (`a signature`).
import { writeSync } from 'node:fs';
import { Keypair, signTransaction } from '../../dist/ledger/keypair.js';
import { openLedger } from '../../dist/ledger/open-ledger.js';
import { systemClock } from '../../dist/ports/clock.js';
import { silentLogger } from '../../dist/ports/logger.js';
import { systemRandom } from '../../dist/ports/random.js';
import { transferLamports } from '../../dist/programs/system.js';
import { decodeBase58, encodeBase58 } from '../../dist/solana/base58.js';
import { compileLegacyMessage } from '../../dist/solana/message.js';

const STDOUT = 1;
const { folder, seeds, firstLamports, inFlight, slotMs } = JSON.parse(process.argv[2]);
const ledger = await openLedger({
  place: { folder },
  clock: systemClock,
  random: systemRandom,
  logger: silentLogger,
  slotMs,
});
const wallets = seeds.map((seed) => new Keypair(new Uint8Array(32).fill(seed)));
// Each transfer of a round moves a different amount, so no two are the same transaction.
let lamports = firstLamports;

async function submitOn() {
  for (;;) {
    lamports++;
    const { slot, blockHeight, blockhash } = ledger.head();
    writeSync(STDOUT, `h ${slot} ${blockHeight} ${blockhash}\n`);
    const from = lamports % wallets.length;
    const to = (lamports + 1 + (lamports % (wallets.length - 1))) % wallets.length;
    const message = compileLegacyMessage({
      feePayer: wallets[from].address,
      blockhash: decodeBase58(blockhash),
      instructions: [transferLamports(wallets[from].address, wallets[to].address, BigInt(lamports))],
    });
    const transaction = signTransaction(message, [wallets[from]]);
    const signature = encodeBase58(transaction.signatures[0]);
    const wire = Buffer.from(transaction.wire).toString('base64');
    writeSync(STDOUT, `s ${signature} ${from} ${to} ${lamports} ${wire}\n`);
    const { err } = await ledger.submit(transaction);
    // Its blockhash may have expired while it waited for its turn.
    if (err === 'BlockhashNotFound') continue;
    if (err !== null) throw new Error(JSON.stringify(err));
    writeSync(STDOUT, `a ${signature}\n`);
  }
}

await Promise.all(Array.from({ length: inFlight }, submitOn));
