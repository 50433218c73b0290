const NAME = /^journal-(\d{16})-([0-9a-f]{8})$/;

/** What the name of a segment's file says. */
export interface SegmentName {
  /** The sequence of its first entry. */
  readonly sequence: number;
  /**
   * What the checksums of its frames are begun with, u32: whoever only sends transactions does not know it,
   * and so cannot have bytes written that look like a frame.
   */
  readonly salt: number;
}

/** The file name of a segment; names sort as their segments follow each other. */
export function formatSegmentName({ sequence, salt }: SegmentName): string {
  return `journal-${String(sequence).padStart(16, '0')}-${salt.toString(16).padStart(8, '0')}`;
}

/** What a file name says; null when it is no segment's. */
export function parseSegmentName(name: string): SegmentName | null {
  const [, sequence, salt] = NAME.exec(name) ?? [];
  return sequence === undefined || salt === undefined
    ? null
    : { sequence: Number(sequence), salt: Number.parseInt(salt, 16) };
}

/** The file name under which what was cut off a segment is kept. */
export function formatCutName(segment: string, offset: number): string {
  return `${segment}.cut-${offset}`;
}

/** Whether a file is part of a journal: a segment, or what was cut off one. */
export function isJournalFile(name: string): boolean {
  return parseSegmentName(name.replace(/\.cut-\d+$/, '')) !== null;
}
