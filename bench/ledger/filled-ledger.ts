import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { here } from '../stack.ts';

/** What the ledger in the folder holds. */
export const FILLED = { accounts: 100_000, transactions: 100_000 } as const;

/** A folder with a ledger of many accounts and transactions. */
interface FilledLedger {
  readonly folder: string;
  /** What putting the accounts and running the transactions took in process, durably, ms. */
  readonly accountsMs: number;
  readonly transactionsMs: number;
}

let filled: FilledLedger | undefined;

/**
 * A ledger that is filled at the first call, which takes about a minute, and thrown away when this process
 * ends; `BENCH_FILLED_LEDGER` names a folder that it is kept in and found in again.
 */
export function fillLedger(): FilledLedger {
  filled ??= findOrFill(process.env['BENCH_FILLED_LEDGER']);
  return filled;
}

/** Fills a new ledger in a folder. @throws {Error} */
export function fillFolder(folder: string, accounts: number, transactions: number): Filling {
  const args = [here('ledger/fill-ledger.mjs'), folder, String(accounts), String(transactions)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the ledger could not be filled: ${stderr}`);
  return JSON.parse(stdout) as Filling;
}

function findOrFill(kept: string | undefined): FilledLedger {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'spl-bench-'));
  if (kept === undefined) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const notes = `${folder}.json`;
  if (existsSync(notes)) return { folder, ...(JSON.parse(readFileSync(notes, 'utf8')) as Filling) };
  const filling = fillFolder(folder, FILLED.accounts, FILLED.transactions);
  if (kept !== undefined) writeFileSync(notes, JSON.stringify(filling));
  return { folder, ...filling };
}

type Filling = Pick<FilledLedger, 'accountsMs' | 'transactionsMs'>;

/**
 * Bytes of all files under a folder that lie on the disk, which for sparse files are fewer than their sizes.
 */
export function diskBytes(folder: string): number {
  const BLOCK_BYTES = 512;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).blocks * BLOCK_BYTES, 0);
}
