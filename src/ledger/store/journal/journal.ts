import { assertInvariant } from '../../../errors/assert-invariant.ts';
import type { Random } from '../../../ports/random.ts';
import { encodeFrame } from './frame.ts';
import type { JournalFiles, SegmentFile } from './journal-files.ts';
import type { RecoveredJournal, SealedSegment } from './recover-journal.ts';
import { formatSegmentName } from './segment-name.ts';

/** The segment open for writing. */
interface OpenSegment {
  readonly name: string;
  /** The number of its first entry. */
  readonly sequence: number;
  readonly salt: number;
  readonly file: SegmentFile;
  /** The end of the last complete frame, bytes. */
  end: number;
  /** Whether the next frame goes into a new segment. */
  isSealed: boolean;
}

/**
 * The write-ahead log: everything acknowledged that the database does not have yet. Entries are numbered
 * without gaps and stand in segment files that only ever grow. One frame is written at a time, and it is
 * flushed before the next one starts.
 */
export class Journal {
  readonly #files: JournalFiles;
  readonly #random: Random;
  #sealed: readonly SealedSegment[];
  #open: OpenSegment | null = null;
  #next: number;
  #isWriting = false;

  /** @param recovered what recovery found in the same files. */
  constructor(files: JournalFiles, random: Random, recovered: RecoveredJournal) {
    this.#files = files;
    this.#random = random;
    this.#sealed = recovered.segments;
    this.#next = recovered.next;
  }

  /** The number of the first entry of the open segment; null while it is empty. */
  get segmentBegan(): number | null {
    return this.#open === null || this.#open.end === 0 ? null : this.#open.sequence;
  }

  /** Total bytes of all segments. */
  get bytes(): number {
    return this.#sealed.reduce((sum, { bytes }) => sum + bytes, this.#open?.end ?? 0);
  }

  /**
   * Writes entries as one frame and flushes it. Resolves with the number of the first entry once all of them
   * survive a crash of the machine. Call it again only after it has resolved, and never after it has
   * rejected: then none of the entries is kept, unless even cutting the frame off failed.
   *
   * @throws the system's error.
   */
  async append(entries: readonly Buffer[]): Promise<number> {
    assertInvariant(!this.#isWriting, 'one frame of the journal is written at a time');
    assertInvariant(entries.length > 0, 'a frame of the journal has an entry');
    this.#isWriting = true;
    try {
      return await this.#write(entries);
    } finally {
      this.#isWriting = false;
    }
  }

  /** Makes the next frame start a new segment. A frame under way still goes into this one. */
  seal(): void {
    if (this.#open !== null) this.#open.isSealed = true;
  }

  /** Removes the sealed segments whose entries are all in the database, i.e. have numbers up to `taken`. */
  discard(taken: number): void {
    assertInvariant(taken < this.#next, 'the database has no entry that the journal never had');
    // Crash case: the process dies between two removals. Recovery accepts any segment up to `taken` as
    // missing.
    for (const { file, last } of this.#sealed) if (last <= taken) this.#files.remove(file);
    this.#sealed = this.#sealed.filter(({ last }) => last > taken);
  }

  /** Closes the files. No append may be in progress. */
  async close(): Promise<void> {
    assertInvariant(!this.#isWriting, 'the journal is closed between two frames');
    this.seal();
    await this.#closeOpen();
  }

  async #write(entries: readonly Buffer[]): Promise<number> {
    const sequence = this.#next;
    const segment = await this.#writable();
    const frame = encodeFrame({ sequence, entries }, segment.salt);
    try {
      await writeAll(segment.file, frame, segment.end);
      await segment.file.sync();
    } catch (error) {
      // Crash case: the write fails half-way. Recovery would cut off a partial frame, but a whole one whose
      // flush failed would come back after a restart although it was never acknowledged.
      await segment.file.truncate(segment.end).catch(() => undefined);
      throw error;
    }
    // Only after the flush: a failed frame is cut back to the last durable one.
    segment.end += frame.length;
    this.#next += entries.length;
    return sequence;
  }

  async #writable(): Promise<OpenSegment> {
    if (this.#open?.isSealed === true) await this.#closeOpen();
    this.#open ??= await this.#create();
    return this.#open;
  }

  async #create(): Promise<OpenSegment> {
    const salt = Buffer.from(this.#random.bytes(4)).readUInt32LE(0);
    const sequence = this.#next;
    const name = formatSegmentName({ sequence, salt });
    return { name, sequence, salt, file: await this.#files.create(name), end: 0, isSealed: false };
  }

  async #closeOpen(): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    await open.file.close();
    this.#open = null;
    this.#sealed = [...this.#sealed, { file: open.name, last: this.#next - 1, bytes: open.end }];
  }
}

async function writeAll(file: SegmentFile, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const taken = await file.write(at === 0 ? bytes : bytes.subarray(at), position + at);
    if (taken === 0) throw new Error('the file takes no more bytes');
    at += taken;
  }
}
