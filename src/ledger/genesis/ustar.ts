/**
 * Reads a few files of a tar archive in memory. Own code, because the packages that read tar are made to
 * unpack whole trees to a disk, and most of them is the care that takes: here no name of the archive is ever
 * a path.
 *
 * POSIX.1-1988 ustar: blocks of 512 bytes, a header and then the file; numbers are octal digits in ASCII.
 */
const BLOCK_BYTES = 512;
const NAME = [0, 100] as const;
const SIZE = [124, 136] as const;
const CHECKSUM = [148, 156] as const;
const TYPE_AT = 156;
const PREFIX = [345, 500] as const;
const REGULAR_FILE = '0';

/**
 * The files of these names.
 *
 * @throws {Error} where one of them is missing, there twice or no plain file, and where the archive breaks
 * off or a header is damaged. Names that an extended header (pax) gives are not read: such a file goes by its
 * short name.
 */
export function readTarFiles(tar: Uint8Array, names: readonly string[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (let at = 0; ;) {
    const header = Buffer.from(slice(tar, at, BLOCK_BYTES));
    // The end is marked by blocks of zeros.
    if (header.every((byte) => byte === 0)) break;
    assertChecksum(header);
    const byteCount = readOctal(header, SIZE);
    const content = slice(tar, at + BLOCK_BYTES, byteCount);
    const name = nameOf(header);
    if (names.includes(name)) {
      if (files.has(name)) throw new Error(`${name} is twice in the archive`);
      if (String.fromCharCode(header[TYPE_AT] ?? 0) !== REGULAR_FILE) throw new Error(`${name} is no file`);
      files.set(name, content);
    }
    at += BLOCK_BYTES + Math.ceil(byteCount / BLOCK_BYTES) * BLOCK_BYTES;
  }
  const missing = names.filter((name) => !files.has(name));
  if (missing.length > 0) throw new Error(`the archive has no ${missing.join(', ')}`);
  return files;
}

function slice(tar: Uint8Array, at: number, byteCount: number): Uint8Array {
  if (at + byteCount > tar.length) throw new Error('the archive breaks off');
  return tar.subarray(at, at + byteCount);
}

/** The sum of the header's bytes, its own eight taken for blanks. */
function assertChecksum(header: Buffer): void {
  const [from, to] = CHECKSUM;
  const sum = header.reduce((total, byte, at) => total + (at >= from && at < to ? 0x20 : byte), 0);
  if (sum !== readOctal(header, CHECKSUM)) throw new Error('a header of the archive is damaged');
}

function nameOf(header: Buffer): string {
  const [prefix, name] = [readText(header, PREFIX), readText(header, NAME)];
  return prefix === '' ? name : `${prefix}/${name}`;
}

function readOctal(header: Buffer, field: readonly [number, number]): number {
  const digits = readText(header, field).trim();
  if (!/^[0-7]+$/.test(digits)) throw new Error('a header of the archive is damaged');
  return Number.parseInt(digits, 8);
}

/** Up to the first zero, if there is one. */
function readText(header: Buffer, [from, to]: readonly [number, number]): string {
  const [text = ''] = header.toString('latin1', from, to).split('\0');
  return text;
}
