import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { here } from '../stack.ts';

/** What the ledger in the folder holds. */
export const FILLED = { accounts: 100_000, transactions: 100_000 } as const;

/** A folder with a ledger of many accounts and transactions. */
export interface FilledLedger {
  readonly folder: string;
  /** What putting the accounts and running the transactions took in process, durably, ms. */
  readonly accountsMs: number;
  readonly transactionsMs: number;
}

let filled: FilledLedger | undefined;

/** Fills a ledger at the first call; it is there until this process ends. */
export function fillLedger(): FilledLedger {
  if (filled !== undefined) return filled;
  const folder = mkdtempSync(join(tmpdir(), 'spl-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const args = [here('ledger/fill-ledger.mjs'), folder, String(FILLED.accounts), String(FILLED.transactions)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the ledger could not be filled: ${stderr}`);
  filled = { folder, ...(JSON.parse(stdout) as { accountsMs: number; transactionsMs: number }) };
  return filled;
}

/** Bytes of the files of a folder that lie on the disk, which for sparse files are fewer than their sizes. */
export function diskBytes(folder: string): number {
  const BLOCK_BYTES = 512;
  return readdirSync(folder).reduce(
    (sum, name) => sum + statSync(join(folder, name)).blocks * BLOCK_BYTES,
    0,
  );
}
