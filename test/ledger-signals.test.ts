import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openLedgerFolder } from '../src/ledger/store/ledger-folder.ts';
import { accountOf } from '../src/ledger/testing/make-account.ts';
import { SeededRandom } from '../src/ledger/testing/seeded-random.ts';
import { silentLogger } from '../src/ports/logger.ts';
import { SYSTEM_PROGRAM } from '../src/programs/addresses.ts';
import { addressOf } from '../src/solana/address.ts';
import { beginLedger, SLOT_CEILING } from '../src/stack/kept/testing/land-transfers.ts';
import { folderOfFile, temporaryFolder } from './folders.ts';
import { MAIN, runToEnd, waitFor } from './stack-process.ts';

/** Accounts of one commit, and bytes of each. */
const ACCOUNTS = 1_000;
const ACCOUNT_BYTES = 1_000;
/** As many commits make an export that takes most of a second. */
const COMMITS = 20;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const random = new SeededRandom('ledger signals');

/** What every test begins with: a data folder, and its export of some 30 MB. */
let madeOnce: { readonly kept: string; readonly exported: string };

beforeAll(async () => {
  const folder = await folderOfFile();
  madeOnce = { kept: join(folder, 'kept'), exported: join(folder, 'export') };
  const store = openLedgerFolder(madeOnce.kept, { logger: silentLogger });
  await beginLedger(store);
  await store.close();
  await addAccounts(madeOnce.kept, COMMITS);
  const line = ['ledger', 'export', madeOnce.exported, '--data-dir', madeOnce.kept];
  expect((await runToEnd(line, {})).code).toBe(0);
});

const folderOfTest = (): Promise<string> => temporaryFolder((remove) => onTestFinished(remove));

async function addAccounts(kept: string, commits: number): Promise<void> {
  const store = openLedgerFolder(kept, { logger: silentLogger });
  for (let commit = 0; commit < commits; commit++) {
    const accounts = Array.from({ length: ACCOUNTS }, () => {
      const data = new Uint8Array(ACCOUNT_BYTES);
      return [addressOf(random.bytes(32)), accountOf(SYSTEM_PROGRAM, data, 1n)] as const;
    });
    await store.commit({ slotCeiling: SLOT_CEILING, accounts });
  }
  await store.close();
}

/** Types `ledger ...` in a process of its own. */
function typeLedger(words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [MAIN, 'ledger', ...words], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Waits until something that begins so is being written, and sends a signal. */
async function signalOnceThere(
  child: ChildProcess,
  folder: string,
  begin: string,
  signal: NodeJS.Signals,
): Promise<void> {
  await waitFor(() => hasSome(folder, begin));
  child.kill(signal);
}

const hasSome = (folder: string, begin: string): boolean =>
  readdirSync(folder).some((name) => name.startsWith(begin));

describe.each(SIGNALS)('%s in the middle', (signal) => {
  it('of an export leaves no file, and ends it', async () => {
    const folder = await folderOfTest();
    const [kept, out] = [join(folder, 'kept'), join(folder, 'out')];
    cpSync(madeOnce.kept, kept, { recursive: true });
    const end = async (): Promise<unknown[]> => {
      const child = typeLedger(['export', out, '--data-dir', kept]);
      const ended = once(child, 'exit');
      await signalOnceThere(child, folder, 'out', signal);
      return await ended;
    };
    let ended = await end();
    // One that was over before the signal came is tried again with twice as much.
    for (let commits = COMMITS; ended[0] === 0; commits *= 2) {
      rmSync(out);
      await addAccounts(kept, commits);
      ended = await end();
    }
    expect(ended).toEqual([null, signal]);
    expect(readdirSync(folder)).toEqual(['kept']);
    // What was left in the folder is whole, and nobody holds it.
    expect(await runToEnd(['ledger', 'verify', kept], {})).toMatchObject({ code: 0 });
  });

  it('of an import leaves no folder, and ends it while it waits at a pipe', async () => {
    const folder = await folderOfTest();
    const pipe = join(folder, 'pipe');
    const content = await readFile(madeOnce.exported);
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const child = typeLedger(['import', pipe, '--data-dir', join(folder, 'copy')]);
    const ended = once(child, 'exit');
    const writing = await open(pipe, 'w');
    // It waits for the other half, which does not come.
    await writing.write(content.subarray(0, content.length / 2));
    await signalOnceThere(child, folder, 'copy.import-', signal);
    expect(await ended).toEqual([null, signal]);
    await writing.close();
    expect(readdirSync(folder)).toEqual(['pipe']);
  });
});
