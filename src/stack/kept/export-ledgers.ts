import { createHash } from 'node:crypto';
import { readLedgerPrograms } from '../../ledger/network-programs/ledger-programs.ts';
import { hashesOf } from '../../ledger/network-programs/program-set.ts';
import { EXPORT_FORMAT, EXPORT_VERSION, writeRow, type HeadRow } from '../../ledger/portable/rows.ts';
import { rowsOfStore } from '../../ledger/portable/rows-of-store.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { accountsOf } from './kept-accounts.ts';
import type { KeptLedger, KeptLedgers } from './kept-ledgers.ts';
import { pairFault } from './pair-fault.ts';
import { inTurns, type TellProgress } from './progress.ts';

/** What was written out. */
export interface ExportSummary {
  /** Of the base ledger, base58. */
  readonly genesisHash: string;
  readonly lines: number;
  /** SHA-256 in hex of all lines but the last, which says it. */
  readonly sha256: string;
}

/**
 * Writes out what a data folder keeps, as docs/ledger-export.md has it. All of it is of one moment, as nobody
 * writes to the folder meanwhile. The keys of the ledger and private payments are in it.
 *
 * @param write takes a line with its end.
 * @throws {ServiceError} LEDGER_DAMAGED.
 */
export async function exportLedgers(
  { base, rollup }: KeptLedgers,
  write: (line: string) => void,
  tell: TellProgress,
): Promise<ExportSummary> {
  const fault = pairFault({ base, rollup });
  if (fault !== null) throw new ServiceError('LEDGER_DAMAGED', `${fault}: put back a copy of both`);
  const digest = createHash('sha256');
  let lines = 0;
  const writeLine = (text: string): void => {
    const line = `${text}\n`;
    digest.update(line);
    lines++;
    write(line);
  };
  const ledgers = rollup === null ? [base] : [base, rollup];
  writeLine(writeRow(headOf(base, ledgers)));
  for (const ledger of ledgers) {
    for await (const row of inTurns(rowsOfStore(ledger), `${ledger.name}: lines`, tell))
      writeLine(writeRow(row));
  }
  const sha256 = digest.digest('hex');
  write(`${writeRow({ type: 'end', lines, sha256 })}\n`);
  return { genesisHash: base.identity.genesisHash, lines: lines + 1, sha256 };
}

function headOf(base: KeptLedger, ledgers: readonly KeptLedger[]): HeadRow {
  const accounts = accountsOf(base);
  const programs = readLedgerPrograms({ getAccount: (address) => accounts.get(address) ?? null });
  return {
    type: 'head',
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    genesisHash: base.identity.genesisHash,
    programs: programs === null ? {} : Object.fromEntries(hashesOf(programs)),
    ledgers: ledgers.map(({ name }) => name),
  };
}
