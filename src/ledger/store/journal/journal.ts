import type { Random } from '../../../ports/random.ts';
import { encodeFrame } from './frame.ts';
import type { JournalFiles, SegmentFile } from './journal-files.ts';
import type { RecoveredJournal, SealedSegment } from './recover-journal.ts';
import { formatSegmentName } from './segment-name.ts';

/** The segment that is being written. */
interface OpenSegment {
  readonly name: string;
  /** The number of its first entry. */
  readonly sequence: number;
  readonly salt: number;
  readonly file: SegmentFile;
  /** Where the last good frame ends. */
  end: number;
  /** Nothing more is to be written to it. */
  isSealed: boolean;
}

/**
 * The log of everything that was acknowledged and is not in the database yet: entries with numbers that follow each
 * other, in segment files that are only ever written at their end. One frame is written at a time, and what was written
 * is on the disk before the next one is begun.
 */
export class Journal {
  readonly #files: JournalFiles;
  readonly #random: Random;
  #sealed: readonly SealedSegment[];
  #open: OpenSegment | null = null;
  #next: number;

  /** @param recovered what was found in the same files. */
  constructor(files: JournalFiles, random: Random, recovered: RecoveredJournal) {
    this.#files = files;
    this.#random = random;
    this.#sealed = recovered.segments;
    this.#next = recovered.next;
  }

  /** The number of the first entry of the segment that is being written; null while nothing is in it. */
  get segmentBegan(): number | null {
    return this.#open === null || this.#open.end === 0 ? null : this.#open.sequence;
  }

  /** Bytes of all segments. */
  get bytes(): number {
    return this.#sealed.reduce((sum, { bytes }) => sum + bytes, this.#open?.end ?? 0);
  }

  /**
   * Writes entries as one frame; resolves, when they will survive the end of the machine, with the number of the first.
   * To be called again only when that is done, and never again after it failed: then none of the entries is kept, unless
   * not even that could be written.
   *
   * @throws the system's error.
   */
  async append(entries: readonly Buffer[]): Promise<number> {
    const sequence = this.#next;
    const segment = await this.#writable();
    const frame = encodeFrame({ sequence, entries }, segment.salt);
    try {
      await writeAll(segment.file, frame, segment.end);
      await segment.file.sync();
    } catch (error) {
      // Half a frame would be cut off when the journal is read again; a whole one would come back unacknowledged.
      await segment.file.truncate(segment.end).catch(() => undefined);
      throw error;
    }
    segment.end += frame.length;
    this.#next += entries.length;
    return sequence;
  }

  /** What is written from now on goes into a new segment; a frame being written still goes into this one. */
  seal(): void {
    if (this.#open !== null) this.#open.isSealed = true;
  }

  /** Removes the sealed segments in which there is nothing above the entry `taken`. */
  discard(taken: number): void {
    for (const { file, last } of this.#sealed) if (last <= taken) this.#files.remove(file);
    this.#sealed = this.#sealed.filter(({ last }) => last > taken);
  }

  /** Lets go of the files. To be called when no frame is being written. */
  async close(): Promise<void> {
    this.seal();
    await this.#closeOpen();
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
