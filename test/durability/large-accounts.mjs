// Opens the ledger in the folder it is given. With `fill` or `kill` it makes 40 accounts of 10 MiB, two by
// each transaction, with `kill` one more, and is killed in the moment it is acknowledged. With `open` it pays
// into one of them. Prints what is resident when garbage is gone, bytes, without the pages of files, which the
// system takes back when it needs them, and how many large accounts there are.
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { Keypair, signTransaction } from '../../dist/ledger/keypair.js';
import { openLedger } from '../../dist/ledger/open-ledger.js';
import { systemClock } from '../../dist/ports/clock.js';
import { silentLogger } from '../../dist/ports/logger.js';
import { systemRandom } from '../../dist/ports/random.js';
import { SYSTEM_PROGRAM } from '../../dist/programs/addresses.js';
import { transferLamports } from '../../dist/programs/system.js';
import { addressBytes } from '../../dist/solana/address.js';
import { decodeBase58 } from '../../dist/solana/base58.js';
import { writableSigner } from '../../dist/solana/instruction.js';
import { compileLegacyMessage } from '../../dist/solana/message.js';

const BYTES = 10 * 1024 * 1024;
const RENT = 73_000_000_000n;
const COUNT = 40;

const [, , folder, mode] = process.argv;
const parts = { clock: systemClock, random: systemRandom, logger: silentLogger };
const ledger = await openLedger({ place: { folder }, ...parts });
const wallet = new Keypair(systemRandom.bytes(32));
await ledger.airdrop(wallet.address, 10_000n * 1_000_000_000n);

if (mode === 'open') await submit([wallet], [transferLamports(wallet.address, aLargeAccount(), 1n)]);
else for (let made = 0; made < COUNT; made += 2) await make(2);
// Not one by one: going through them all would be most of what is measured.
const large = Math.floor(ledger.accountsBytes() / BYTES);
console.log(JSON.stringify({ large, resident: await resident() }));
if (mode === 'kill') {
  await make(1);
  process.kill(process.pid, 'SIGKILL');
}
await ledger.close();

async function make(count) {
  const keys = Array.from({ length: count }, () => new Keypair(systemRandom.bytes(32)));
  await submit(
    [wallet, ...keys],
    keys.map(({ address }) => createLarge(address)),
  );
}

/** `SystemInstruction::CreateAccount`: tag u32, lamports u64, space u64, owner. */
function createLarge(address) {
  const data = Buffer.alloc(52);
  data.writeBigUInt64LE(RENT, 4);
  data.writeBigUInt64LE(BigInt(BYTES), 12);
  data.set(addressBytes(SYSTEM_PROGRAM), 20);
  const accounts = [writableSigner(wallet.address), writableSigner(address)];
  return { programId: SYSTEM_PROGRAM, accounts, data };
}

async function submit(signers, instructions) {
  const blockhash = decodeBase58(ledger.head().blockhash);
  const message = compileLegacyMessage({ feePayer: wallet.address, blockhash, instructions });
  const { err } = await ledger.submit(signTransaction(message, signers));
  if (err !== null) throw new Error(JSON.stringify(err));
}

function aLargeAccount() {
  for (const [address, { data }] of ledger.accounts()) if (data.length === BYTES) return address;
  throw new Error('there is no large account');
}

/** What native objects have behind them is let go of in a turn of its own after they were collected. */
async function resident() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await turn();
  }
  // proc(5): on other systems than Linux the pages of files count as well.
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))[1]) * 1_024;
}
