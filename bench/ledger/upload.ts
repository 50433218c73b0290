/**
 * What a piece of a program's upload costs, by the length of its buffer: `npx tsx bench/ledger/upload.ts`. The
 * ledger is in this process and kept in a folder; every write is simulated before it is submitted, as clients
 * have it, and all carry the blockhash of the first. Prints a line for each length.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '../../src/ledger/keypair.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { createAccount, loader } from '../../src/ledger/testing/instructions.ts';
import { buildTransaction } from '../../src/ledger/testing/test-ledger.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { BPF_LOADER_UPGRADEABLE } from '../../src/programs/addresses.ts';
import { decodeBase58 } from '../../src/solana/base58.ts';
import { rentExemptMinimum } from '../../src/solana/rent.ts';
import { median } from '../statistics.ts';

/** Bytes of a write, as `solana program deploy` sends them, and how many are under way at a time. */
const CHUNK_BYTES = 1_012;
const AT_ONCE = 100;

for (const bytes of [100_000, 1_000_000, 4_000_000]) await measure(bytes);

async function measure(bytes: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'upload-'));
  const ledger = await openLedger({
    place: { folder },
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  const [payer, buffer] = [new Keypair(systemRandom.bytes(32)), new Keypair(systemRandom.bytes(32))];
  await ledger.airdrop(payer.address, 100_000_000_000n);
  const space = 37 + bytes;
  const account = { lamports: rentExemptMinimum(space), space: BigInt(space), owner: BPF_LOADER_UPGRADEABLE };
  const open = [
    createAccount(payer.address, buffer.address, account),
    loader.initializeBuffer(buffer.address, payer.address),
  ];
  await ledger.submit(buildTransaction(ledger, [payer, buffer], open));

  const blockhash = decodeBase58(ledger.head().blockhash);
  const code = systemRandom.bytes(bytes);
  const writes = Array.from({ length: Math.ceil(bytes / CHUNK_BYTES) }, (_, index) => {
    const at = index * CHUNK_BYTES;
    const write = loader.write(buffer.address, payer.address, at, code.subarray(at, at + CHUNK_BYTES));
    return buildTransaction(ledger, [payer], [write], blockhash);
  });
  const times: number[] = [];
  const began = performance.now();
  for (let at = 0; at < writes.length; at += AT_ONCE) {
    const pending = writes.slice(at, at + AT_ONCE).map((transaction) => {
      const before = performance.now();
      const submission = ledger.submit(transaction, { preflight: () => undefined });
      // What runs before the first wait is all but the flush to the disk.
      const time = performance.now() - before;
      return submission.then(({ err }) => (err === null ? times.push(time) : 0));
    });
    await Promise.all(pending);
  }
  const seconds = (performance.now() - began) / 1_000;
  const isWhole = Buffer.compare((ledger.getAccount(buffer.address)?.data ?? code).subarray(37), code) === 0;
  console.log(
    `${bytes} bytes: ${median(times).toFixed(3)} ms a write; ${times.length} of ${writes.length} landed in ${seconds.toFixed(1)} s${isWhole ? ', and the buffer has them all' : ''}`,
  );
  await ledger.close();
  rmSync(folder, { recursive: true });
}
