/** A segment open for writing. */
export interface SegmentFile {
  /** Writes at an offset and resolves with the number of bytes written. */
  write(bytes: Buffer, position: number): Promise<number>;
  /** Resolves when everything written survives a crash of the machine. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** The file system as the journal needs it. Errors are the system's own. */
export interface JournalFiles {
  /** The location of the files, for messages. */
  readonly folder: string;
  /** The names of all files in the folder. */
  names(): readonly string[];
  read(name: string): Buffer;
  /** Creates an empty file under a new name, durably. */
  create(name: string): Promise<SegmentFile>;
  /** Creates a file with these bytes, durably. */
  keep(name: string, bytes: Buffer): void;
  /** Truncates a file to a length, durably. */
  cut(name: string, length: number): void;
  remove(name: string): void;
}
