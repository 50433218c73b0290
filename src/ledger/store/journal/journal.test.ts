import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { type FileOperation, MemoryFiles, systemError } from '../testing/memory-files.ts';
import { Journal } from './journal.ts';
import { recoverJournal } from './recover-journal.ts';

function openJournal(files: MemoryFiles, taken = 0): Journal {
  return new Journal(files, new SeededRandom('journal'), recoverJournal(files, taken));
}

function textsIn(files: MemoryFiles, taken = 0): string[] {
  return recoverJournal(files.copy(), taken).entries.map(({ bytes }) => bytes.toString());
}

const bytes = (...texts: string[]) => texts.map((text) => Buffer.from(text));

describe('append', () => {
  it('writes entries with one write and one flush, and numbers them', async () => {
    const files = new MemoryFiles();
    const journal = openJournal(files);
    expect(await journal.append(bytes('a', 'b', 'c'))).toBe(1);
    expect(await journal.append(bytes('d'))).toBe(4);
    expect(files.calls).toEqual(['create', 'write', 'sync', 'write', 'sync']);
    expect(textsIn(files)).toEqual(['a', 'b', 'c', 'd']);
    expect(textsIn(files, 3)).toEqual(['d']);
    expect(journal.bytes).toBe([...files.contents.values()][0]?.length);
  });

  it('goes on where an earlier journal ended', async () => {
    const files = new MemoryFiles();
    await openJournal(files).append(bytes('a', 'b'));
    expect(await openJournal(files).append(bytes('c'))).toBe(3);
    expect(await openJournal(files, 9).append(bytes('j'))).toBe(10);
    expect(textsIn(files, 9)).toEqual(['j']);
  });

  it('writes what a write did not take', async () => {
    const files = new MemoryFiles();
    files.writeBytesMax = 5;
    const journal = openJournal(files);
    await journal.append(bytes('first'));
    await journal.append(bytes('second'));
    expect(textsIn(files)).toEqual(['first', 'second']);
  });

  it('does not try for ever when nothing is taken', async () => {
    const files = new MemoryFiles();
    files.writeBytesMax = 0;
    await expect(openJournal(files).append(bytes('a'))).rejects.toThrow('no more bytes');
  });

  it.each(['write', 'sync'] satisfies FileOperation[])(
    'takes back what could not be kept: %s',
    async (failing) => {
      const files = new MemoryFiles();
      const journal = openJournal(files);
      await journal.append(bytes('kept'));
      const before = files.copy().contents;
      files.writeBytesMax = 7;
      let calls = 0;
      files.before = (operation) => {
        if (operation === failing && ++calls === (failing === 'write' ? 3 : 1)) throw systemError('ENOSPC');
      };
      await expect(journal.append(bytes('lost'))).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(files.contents).toEqual(before);
    },
  );

  it('leaves half a frame that cannot be taken back, which is cut off by the next to read it', async () => {
    const files = new MemoryFiles();
    const journal = openJournal(files);
    await journal.append(bytes('kept'));
    files.writeBytesMax = 7;
    files.before = (operation) => {
      if (operation === 'truncate' || operation === 'sync') throw systemError('EIO');
      if (files.calls.length > 5) throw systemError('ENOSPC');
    };
    await expect(journal.append(bytes('lost'))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(textsIn(files)).toEqual(['kept']);
  });

  it('has everything flushed when it resolves', async () => {
    const files = new MemoryFiles();
    const journal = openJournal(files);
    await journal.append(bytes('a'));
    await journal.append(bytes('b'));
    files.before = (operation) => {
      if (operation === 'sync') throw systemError('EIO');
    };
    const writing = journal.append(bytes('c'));
    await expect(writing).rejects.toMatchObject({ code: 'EIO' });
    for (const left of [0, 1, 15, 100]) {
      expect(textsIn(files.afterPowerLoss(left)).slice(0, 2)).toEqual(['a', 'b']);
    }
  });

  it('is not asked again before it has resolved, nor for no entry (broken invariants)', async () => {
    const files = new MemoryFiles();
    const journal = openJournal(files);
    const writing = journal.append(bytes('a'));
    await expect(journal.append(bytes('b'))).rejects.toThrow('broken invariant: one frame');
    await expect(journal.close()).rejects.toThrow('broken invariant: the journal is closed between');
    await writing;
    await expect(journal.append([])).rejects.toThrow('broken invariant: a frame');
    expect(() => journal.discard(2)).toThrow('broken invariant: the database has no entry');
    await journal.close();
    expect(textsIn(files)).toEqual(['a']);
  });
});

describe('seal', () => {
  it('has the next frame begin a segment, and what is sealed can be discarded', async () => {
    const files = new MemoryFiles();
    const journal = openJournal(files);
    await journal.append(bytes('a', 'b'));
    journal.seal();
    await journal.append(bytes('c'));
    expect(files.names()).toHaveLength(2);
    journal.discard(1);
    expect(files.names()).toHaveLength(2);
    journal.discard(3);
    // That of `c` is still being written to.
    expect(textsIn(files, 2)).toEqual(['c']);
    expect(files.names()).toHaveLength(1);
    await journal.close();
    journal.discard(3);
    expect(files.names()).toEqual([]);
    expect(journal.bytes).toBe(0);
  });

  it('lets a frame that is being written end in its segment', async () => {
    const files = new MemoryFiles();
    const journal = openJournal(files);
    await journal.append(bytes('a'));
    const writing = journal.append(bytes('b'));
    journal.seal();
    await writing;
    journal.discard(2);
    expect(textsIn(files)).toEqual(['a', 'b']);
    await journal.append(bytes('c'));
    expect(textsIn(files)).toEqual(['a', 'b', 'c']);
    expect(files.names()).toHaveLength(2);
  });
});
