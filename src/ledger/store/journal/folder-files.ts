import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalFiles, SegmentFile } from './journal-files.ts';

/** Readable by the owner only: the files contain accounts and seeds. */
const FILE_MODE = 0o600;

/** The files of a journal in a local folder. */
export class FolderFiles implements JournalFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  names(): readonly string[] {
    return readdirSync(this.folder);
  }

  read(name: string): Buffer {
    return readFileSync(join(this.folder, name));
  }

  async create(name: string): Promise<SegmentFile> {
    const handle = await open(join(this.folder, name), 'wx', FILE_MODE);
    // The new name survives a crash only once the folder is flushed too; otherwise a whole segment could
    // vanish.
    const folder = await open(this.folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    return {
      write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
      // fdatasync(2) also flushes the file length, which is all the metadata that reading needs.
      sync: () => handle.datasync(),
      truncate: (length) => handle.truncate(length),
      close: () => handle.close(),
    };
  }

  keep(name: string, bytes: Buffer): void {
    const path = join(this.folder, name);
    writeFileSync(path, bytes, { mode: FILE_MODE });
    syncFile(path, 'r+');
    syncFile(this.folder, 'r');
  }

  cut(name: string, length: number): void {
    const file = openSync(join(this.folder, name), 'r+');
    try {
      ftruncateSync(file, length);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  remove(name: string): void {
    // Not flushed: recovery skips a segment that comes back, since the database has its entries.
    rmSync(join(this.folder, name), { force: true });
  }
}

function syncFile(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
