import { setImmediate } from 'node:timers/promises';
import type { JournalFiles, SegmentFile } from '../journal/journal-files.ts';

/** What can be made to fail. */
export type FileOperation = 'create' | 'write' | 'sync' | 'truncate' | 'close' | 'keep' | 'cut' | 'remove';

/** An error as the system gives it. */
export function systemError(code: 'ENOSPC' | 'EIO' | 'EROFS'): Error {
  return Object.assign(new Error(`${code}: made up`), { code });
}

/** Files in memory that fail, and take as many bytes at a time, as a test says. */
export class MemoryFiles implements JournalFiles {
  readonly folder = '/memory';
  readonly contents = new Map<string, Buffer>();
  /** What was done, in order. */
  readonly calls: string[] = [];
  /** Called before each operation; what it throws is the failure of the operation. */
  before: (operation: FileOperation, name: string) => void = () => undefined;
  /** Most bytes a write takes. */
  writeBytesMax = Number.POSITIVE_INFINITY;
  /** How much of each file survives the end of the machine. */
  readonly #synced = new Map<string, number>();

  /** A copy that may be changed by itself. */
  copy(): MemoryFiles {
    const copy = new MemoryFiles();
    for (const [name, bytes] of this.contents) copy.contents.set(name, Buffer.from(bytes));
    return copy;
  }

  /** What is left when the machine ends now: of what was not flushed, so many bytes of each file. */
  afterPowerLoss(unflushedBytes: number): MemoryFiles {
    const copy = this.copy();
    for (const [name, bytes] of copy.contents) {
      copy.contents.set(name, bytes.subarray(0, (this.#synced.get(name) ?? bytes.length) + unflushedBytes));
    }
    return copy;
  }

  names(): readonly string[] {
    return [...this.contents.keys()];
  }

  read(name: string): Buffer {
    return Buffer.from(this.contents.get(name) as Buffer);
  }

  async create(name: string): Promise<SegmentFile> {
    this.#do('create', name);
    this.contents.set(name, Buffer.alloc(0));
    this.#synced.set(name, 0);
    return {
      write: async (bytes, position) => {
        this.#do('write', name);
        const taken = bytes.subarray(0, this.writeBytesMax);
        const content = Buffer.concat([this.contents.get(name) as Buffer, Buffer.alloc(taken.length)]);
        this.contents.set(name, content.subarray(0, position + taken.length));
        taken.copy(content, position);
        return taken.length;
      },
      sync: async () => {
        this.#do('sync', name);
        // A flush takes its time: what else is under way goes on.
        await setImmediate();
        this.#synced.set(name, (this.contents.get(name) as Buffer).length);
      },
      truncate: async (length) => {
        this.#do('truncate', name);
        this.contents.set(name, (this.contents.get(name) as Buffer).subarray(0, length));
      },
      close: async () => this.#do('close', name),
    };
  }

  keep(name: string, bytes: Buffer): void {
    this.#do('keep', name);
    this.contents.set(name, Buffer.from(bytes));
  }

  cut(name: string, length: number): void {
    this.#do('cut', name);
    this.contents.set(name, this.read(name).subarray(0, length));
  }

  remove(name: string): void {
    this.#do('remove', name);
    this.contents.delete(name);
  }

  #do(operation: FileOperation, name: string): void {
    this.before(operation, name);
    this.calls.push(operation);
  }
}
