import { ledgerDamaged } from '../damage.ts';
import { findFrame, readFrame } from './frame.ts';
import type { JournalFiles } from './journal-files.ts';
import { formatCutName, parseSegmentName, type SegmentName } from './segment-name.ts';

/** A segment that gets no more frames. */
export interface SealedSegment {
  readonly file: string;
  /** The number of its last entry. */
  readonly last: number;
  readonly bytes: number;
}

/** An entry with its number. */
interface JournalEntry {
  readonly sequence: number;
  readonly bytes: Buffer;
}

/** The bytes cut off the end of a journal. */
interface CutTail {
  readonly file: string;
  /** The end of the last valid frame, bytes. */
  readonly offset: number;
  readonly bytes: number;
  /** The file the bytes were moved to. */
  readonly keptIn: string;
}

/** A journal as it was found. */
export interface RecoveredJournal {
  /** The entries the database lacks, in order. */
  readonly entries: readonly JournalEntry[];
  readonly segments: readonly SealedSegment[];
  /** The number the next entry gets. */
  readonly next: number;
  readonly cut: CutTail | null;
}

interface Segment extends SegmentName {
  readonly file: string;
  readonly bytes: Buffer;
}

/**
 * Reads the journal. The database has every entry up to `taken`. Bytes after the last valid frame of the
 * newest segment belong to a frame that was being written when the process or the machine died: they are cut
 * off and kept in a file of their own. Nothing is changed until everything has been read.
 *
 * @param acknowledged the number of an entry known to have been acknowledged.
 * @throws {ServiceError} LEDGER_DAMAGED for a fault with valid data behind it, for a gap, and for a journal
 *   that ends before an acknowledged entry.
 */
export function recoverJournal(files: JournalFiles, taken: number, acknowledged = 0): RecoveredJournal {
  const names = segmentFiles(files);
  const newest = names.at(-1);
  const entries: JournalEntry[] = [];
  const segments: SealedSegment[] = [];
  let last = 0;
  let torn: { readonly segment: Segment; readonly end: number } | null = null;
  for (const { file, ...name } of names) {
    const segment = { file, ...name, bytes: files.read(file) };
    // The database has the entries up to `taken`, so their segments may be gone. All later ones must follow
    // without a gap.
    const expected = Math.max(taken, last) + 1;
    if (segment.sequence > expected || segment.sequence <= last) {
      throw ledgerDamaged(
        { folder: files.folder, file, offset: 0 },
        `it begins with entry ${segment.sequence} where entry ${expected} was to come`,
      );
    }
    const found = readFrames(files.folder, segment);
    last = segment.sequence - 1;
    for (const bytes of found.entries) entries.push({ sequence: ++last, bytes });
    if (found.end > 0) segments.push({ file, last, bytes: found.end });
    if (found.end > 0 && found.end === segment.bytes.length) continue;
    // An earlier segment was complete before the next one was created, so only the newest can be torn.
    if (file !== newest?.file) throw badFrame(files.folder, segment, found.end);
    torn = { segment, end: found.end };
  }
  // Crash case: the newest segment is lost as a whole. That leaves no gap, so the database records the start
  // of each segment.
  if (Math.max(taken, last) < acknowledged) {
    throw ledgerDamaged(
      { folder: files.folder, file: newest?.file ?? 'journal', ...(torn && { offset: torn.end }) },
      last === 0 && taken === 0
        ? 'a ledger had begun there, and nothing of it is left'
        : `entry ${acknowledged} was acknowledged but is missing`,
    );
  }
  const cut = torn && cutTail(files, torn.segment, torn.end);
  return {
    entries: entries.filter(({ sequence }) => sequence > taken),
    segments,
    next: Math.max(taken, last) + 1,
    cut,
  };
}

function segmentFiles(files: JournalFiles): (SegmentName & { readonly file: string })[] {
  return files
    .names()
    .flatMap((file) => {
      const name = parseSegmentName(file);
      return name === null ? [] : [{ file, ...name }];
    })
    .sort((a, b) => a.sequence - b.sequence);
}

/**
 * The entries of the valid frames from the start of a segment, and where the last of these ends. No valid
 * frame comes after it.
 */
function readFrames(
  folder: string,
  { file, bytes, sequence, salt }: Segment,
): { readonly entries: readonly Buffer[]; readonly end: number } {
  const entries: Buffer[] = [];
  let end = 0;
  for (;;) {
    const frame = readFrame(bytes, end, salt);
    if (frame === null) break;
    const expected = sequence + entries.length;
    if (frame.sequence !== expected) {
      throw ledgerDamaged(
        { folder, file, offset: end },
        `entry ${frame.sequence} stands there where entry ${expected} was to come`,
      );
    }
    entries.push(...frame.entries);
    end = frame.end;
  }
  // Crash case: only the last frame can be incomplete. An invalid frame with a valid one after it was once
  // complete, so the file is damaged.
  if (findFrame(bytes, end + 1, salt, sequence + entries.length) !== null) {
    throw badFrame(folder, { file }, end);
  }
  return { entries, end };
}

function badFrame(folder: string, { file }: Pick<Segment, 'file'>, offset: number): Error {
  return ledgerDamaged({ folder, file, offset }, 'its contents are not what was written');
}

/** Null if there is nothing to keep: the segment was created and never written to. */
function cutTail(files: JournalFiles, { file, bytes }: Segment, offset: number): CutTail | null {
  const tail = bytes.subarray(offset);
  const keptIn = formatCutName(file, offset);
  // Durable before the cut, so that no byte is lost if the process dies in between.
  if (tail.length > 0) files.keep(keptIn, tail);
  if (offset === 0) files.remove(file);
  else files.cut(file, offset);
  return tail.length === 0 ? null : { file, offset, bytes: tail.length, keptIn };
}
