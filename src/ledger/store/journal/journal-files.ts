/** A segment that is being written. */
export interface SegmentFile {
  /** Writes at a place in the file and resolves with how many of the bytes were taken. */
  write(bytes: Buffer, position: number): Promise<number>;
  /** Resolves when everything written will survive the end of the machine. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** What the journal needs of the file system. Errors are the system's own. */
export interface JournalFiles {
  /** Where the files are, for messages. */
  readonly folder: string;
  /** The names of all files there. */
  names(): readonly string[];
  read(name: string): Buffer;
  /** Makes an empty file of a new name, which will survive the end of the machine. */
  create(name: string): Promise<SegmentFile>;
  /** Makes a file of these bytes, which will survive the end of the machine. */
  keep(name: string, bytes: Buffer): void;
  /** Cuts a file to a length, for good. */
  cut(name: string, length: number): void;
  remove(name: string): void;
}
