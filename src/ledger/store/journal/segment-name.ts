const NAME = /^journal-(\d{16})-([0-9a-f]{8})$/;

/** The contents of a segment's file name. */
export interface SegmentName {
  /** The number of its first entry. */
  readonly sequence: number;
  /**
   * Seeds the checksums of its frames, u32. Someone who can only send transactions does not know it, and so
   * cannot craft bytes that look like a frame.
   */
  readonly salt: number;
}

/** The file name of a segment. Names sort in the order of the segments. */
export function formatSegmentName({ sequence, salt }: SegmentName): string {
  return `journal-${String(sequence).padStart(16, '0')}-${salt.toString(16).padStart(8, '0')}`;
}

/** Parses a file name; null if it is not a segment's. */
export function parseSegmentName(name: string): SegmentName | null {
  const [, sequence, salt] = NAME.exec(name) ?? [];
  return sequence === undefined || salt === undefined
    ? null
    : { sequence: Number(sequence), salt: Number.parseInt(salt, 16) };
}

/** The name of the file that keeps what was cut off a segment. */
export function formatCutName(segment: string, offset: number): string {
  return `${segment}.cut-${offset}`;
}

/** Whether a file belongs to a journal: a segment, or a part cut off one. */
export function isJournalFile(name: string): boolean {
  return parseSegmentName(name.replace(/\.cut-\d+$/, '')) !== null;
}
