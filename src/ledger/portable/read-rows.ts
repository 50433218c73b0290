import { createHash } from 'node:crypto';
import { ServiceError } from '../../errors/service-error.ts';
import { readRow, type Row } from './rows.ts';

const LINE_END = 0x0a;

/** A row of an export with the number of its line, from 1. */
interface NumberedRow {
  readonly row: Row;
  readonly line: number;
}

/**
 * The rows of an export up to its last one, which has to be there, and to say what stood before it.
 *
 * @param chunks its bytes.
 * @throws {ServiceError} CONFIG_INVALID naming the line.
 */
export async function* readRows(chunks: AsyncIterable<Buffer>): AsyncIterable<NumberedRow> {
  const digest = createHash('sha256');
  let line = 0;
  let isOver = false;
  for await (const bytes of splitLines(chunks)) {
    line++;
    if (isOver) throw invalidImport(line, 'stands behind the end of the export');
    const row = readRow(bytes.toString('utf8'));
    if (row.type === 'fault') throw invalidImport(line, row.fault);
    if (row.type === 'end') {
      if (row.lines !== line - 1)
        throw invalidImport(line, `there are ${row.lines} lines before it, it says`);
      if (row.sha256 !== digest.digest('hex')) {
        throw invalidImport(line, 'sha256 is not that of the lines before it: they were changed');
      }
      isOver = true;
    } else {
      digest.update(bytes).update('\n');
    }
    yield { row, line };
  }
  if (!isOver) throw invalidImport(line + 1, 'is missing: the export ends before its end');
}

/** The lines of a file; readers of texts would also split them at U+2028. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let open: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, from)) {
      yield Buffer.concat([...open, chunk.subarray(from, at)]);
      open = [];
      from = at + 1;
    }
    if (from < chunk.length) open.push(chunk.subarray(from));
  }
  if (open.length > 0) yield Buffer.concat(open);
}

/** An export that cannot be read. */
export function invalidImport(line: number, fault: string): ServiceError {
  return new ServiceError('CONFIG_INVALID', `The export cannot be read: line ${line}: ${fault}`, { line });
}
