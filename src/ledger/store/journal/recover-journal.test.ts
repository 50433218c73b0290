import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../../errors/service-error.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { MemoryFiles, systemError } from '../testing/memory-files.ts';
import { Journal } from './journal.ts';
import { recoverJournal } from './recover-journal.ts';

const random = new SeededRandom('recover');
const texts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

/** Segments of the entries 1 to 3 (two frames), 4 and 5 (two frames), 6 and 7 (two frames). */
async function writtenFiles(): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  const journal = new Journal(files, random, recoverJournal(files, 0));
  for (const group of [[0, 1], [2], 'seal', [3], [4], 'seal', [5], [6]] as const) {
    if (group === 'seal') journal.seal();
    else await journal.append(group.map((index) => Buffer.from(texts[index] as string)));
  }
  return files;
}

function segment(files: MemoryFiles, index: number): string {
  return files.names()[index] as string;
}

function change(files: MemoryFiles, index: number, edit: (bytes: Buffer) => Buffer): void {
  const name = segment(files, index);
  files.contents.set(name, edit(files.read(name)));
}

function recoveredTexts(files: MemoryFiles, taken = 0): string[] {
  return recoverJournal(files, taken).entries.map(({ bytes }) => bytes.toString());
}

function damage(files: MemoryFiles, taken = 0): ServiceError {
  const before = files.copy().contents;
  try {
    recoverJournal(files, taken);
  } catch (error) {
    expect(files.contents).toEqual(before);
    expect(error).toMatchObject({ code: 'LEDGER_DAMAGED' });
    return error as ServiceError;
  }
  throw new Error('the damage was not noticed');
}

/** A frame has a header of 20 bytes and 4 before each entry. */
const LAST_FRAME_BYTES = 20 + 4 + 'seven'.length;

describe('recoverJournal', () => {
  it('reads what was written, from any entry on', async () => {
    const files = await writtenFiles();
    for (let taken = 0; taken <= 7; taken++) expect(recoveredTexts(files, taken)).toEqual(texts.slice(taken));
    expect(recoverJournal(files, 7)).toMatchObject({ next: 8, cut: null });
    expect(recoverJournal(new MemoryFiles(), 0)).toEqual({ entries: [], segments: [], next: 1, cut: null });
    expect(recoverJournal(new MemoryFiles(), 41).next).toBe(42);
  });

  it('cuts the last frame off when it was torn at any byte, and keeps the bytes', async () => {
    const whole = await writtenFiles();
    for (let missing = 1; missing <= LAST_FRAME_BYTES; missing++) {
      const files = whole.copy();
      change(files, 2, (bytes) => bytes.subarray(0, bytes.length - missing));
      const torn = files.read(segment(files, 2));
      const { cut, entries, next } = recoverJournal(files, 0);
      expect(entries.map(({ bytes }) => bytes.toString())).toEqual(texts.slice(0, 6));
      expect(next).toBe(7);
      const offset = torn.length - (LAST_FRAME_BYTES - missing);
      expect(files.read(segment(files, 2))).toEqual(torn.subarray(0, offset));
      if (missing === LAST_FRAME_BYTES) {
        expect(cut).toBeNull();
        continue;
      }
      expect(cut).toMatchObject({ file: segment(files, 2), offset, bytes: LAST_FRAME_BYTES - missing });
      expect(files.read(cut?.keptIn as string)).toEqual(torn.subarray(offset));
      // The next to read it finds nothing wrong.
      expect(recoverJournal(files, 0)).toMatchObject({ next: 7, cut: null });
    }
  });

  it('cuts the last frame off when any of its bytes is another', async () => {
    const whole = await writtenFiles();
    for (let at = 1; at <= LAST_FRAME_BYTES; at++) {
      const files = whole.copy();
      change(files, 2, (bytes) => flip(bytes, bytes.length - at));
      const { cut, entries } = recoverJournal(files, 0);
      expect(entries.map(({ bytes }) => bytes.toString())).toEqual(texts.slice(0, 6));
      expect(cut?.bytes).toBe(LAST_FRAME_BYTES);
    }
  });

  it('refuses a journal in which any other byte is another, and says where', async () => {
    const whole = await writtenFiles();
    for (const [index, name] of whole.names().entries()) {
      const length = whole.read(name).length - (index === 2 ? LAST_FRAME_BYTES : 0);
      for (let at = 0; at < length; at++) {
        const files = whole.copy();
        change(files, index, (bytes) => flip(bytes, at));
        const { context, message } = damage(files);
        expect(context['file']).toBe(name);
        expect(context['offset']).toBeLessThanOrEqual(at);
        expect(message).toContain(name);
        expect(message).toContain('--reset');
      }
    }
  });

  it('refuses a journal whose older segment was cut short at any byte', async () => {
    const whole = await writtenFiles();
    const { length } = whole.read(segment(whole, 1));
    for (let left = 0; left < length; left++) {
      const files = whole.copy();
      change(files, 1, (bytes) => bytes.subarray(0, left));
      damage(files);
    }
  });

  it.each([
    ['the first segment is missing', (files: MemoryFiles) => files.remove(segment(files, 0))],
    ['a segment between is missing', (files: MemoryFiles) => files.remove(segment(files, 1))],
    [
      'a frame is missing',
      (files: MemoryFiles) => change(files, 1, (bytes) => bytes.subarray(20 + 4 + 'four'.length)),
    ],
    [
      'a frame is there twice',
      (files: MemoryFiles) => change(files, 1, (bytes) => Buffer.concat([bytes, bytes.subarray(0, 28)])),
    ],
    [
      'something stands behind an older segment',
      (files: MemoryFiles) => change(files, 0, (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])),
    ],
  ])('refuses a journal in which %s', async (_, spoil) => {
    const files = await writtenFiles();
    spoil(files);
    damage(files);
  });

  it.each([
    ['whose newest segment is missing', 7, (files: MemoryFiles) => files.remove(segment(files, 2))],
    [
      'whose newest segment ends inside of its first frame',
      7,
      (files: MemoryFiles) => change(files, 2, (bytes) => bytes.subarray(0, bytes.length - 1)),
    ],
    [
      'of which nothing is left',
      1,
      (files: MemoryFiles) => files.names().forEach((name) => files.remove(name)),
    ],
  ])('refuses a journal %s, when that is known to have been acknowledged', async (_, known, spoil) => {
    const files = await writtenFiles();
    spoil(files);
    const before = files.copy().contents;
    expect(() => recoverJournal(files, 0, known)).toThrow(
      expect.objectContaining({ code: 'LEDGER_DAMAGED' }),
    );
    expect(files.contents).toEqual(before);
    expect(recoverJournal(files, 7, known).next).toBe(8);
  });

  it('does not miss what the database has', async () => {
    const files = await writtenFiles();
    files.remove(segment(files, 0));
    expect(recoveredTexts(files, 3)).toEqual(texts.slice(3));
    files.remove(segment(files, 0));
    expect(recoveredTexts(files, 6)).toEqual(['seven']);
  });

  it('goes on above what the database has when an end was cut off below it', async () => {
    const files = await writtenFiles();
    change(files, 2, (bytes) => bytes.subarray(0, bytes.length - 1));
    expect(recoverJournal(files, 7)).toMatchObject({ entries: [], next: 8 });
    const journal = new Journal(files, random, recoverJournal(files, 7));
    expect(await journal.append([Buffer.from('eight')])).toBe(8);
    expect(recoveredTexts(files, 7)).toEqual(['eight']);
  });

  it('removes a segment that was made and never written to', async () => {
    const files = await writtenFiles();
    await files.create('journal-0000000000000008-00000001');
    expect(recoverJournal(files, 0)).toMatchObject({ next: 8, cut: null });
    expect(files.names()).toHaveLength(3);
  });

  it('keeps all bytes of a segment in which not even the first frame is whole', async () => {
    const files = await writtenFiles();
    files.contents.set('journal-0000000000000008-00000001', Buffer.from('half a frame'));
    const { cut } = recoverJournal(files, 0);
    expect(cut).toMatchObject({ offset: 0, bytes: 12 });
    expect(files.names()).not.toContain('journal-0000000000000008-00000001');
    expect(files.read(cut?.keptIn as string).toString()).toBe('half a frame');
  });

  it('is not taken in by bytes of a transaction that look like a frame', async () => {
    const other = await writtenFiles();
    // Whole frames of a later sequence, as somebody would make them who does not know the salt.
    const lookalike = other.read(segment(other, 2));
    const files = new MemoryFiles();
    const journal = new Journal(files, new SeededRandom('another salt'), recoverJournal(files, 0));
    await journal.append([Buffer.from('one')]);
    await journal.append([lookalike, Buffer.alloc(50)]);
    change(files, 0, (bytes) => bytes.subarray(0, bytes.length - 20));
    expect(recoveredTexts(files)).toEqual(['one']);
  });

  it('changes nothing when the bytes that are cut off cannot be kept', async () => {
    const files = await writtenFiles();
    change(files, 2, (bytes) => bytes.subarray(0, bytes.length - 1));
    const before = files.copy().contents;
    files.before = (operation) => {
      if (operation === 'keep') throw systemError('ENOSPC');
    };
    expect(() => recoverJournal(files, 0)).toThrow('ENOSPC');
    expect(files.contents).toEqual(before);
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] as number) ^ 0x40;
  return bytes;
}
