/**
 * Reads a few files of a tar archive in memory. The tar packages are made to unpack trees to disk, and most
 * of their code protects that disk; here no name in the archive is ever used as a path.
 *
 * POSIX.1-1988 ustar: blocks of 512 bytes, a header followed by the file; numbers are octal digits in ASCII.
 */
const BLOCK_BYTES = 512;
const NAME = [0, 100] as const;
const SIZE = [124, 136] as const;
const CHECKSUM = [148, 156] as const;
const TYPE_AT = 156;
const PREFIX = [345, 500] as const;
const REGULAR_FILE = '0';

/**
 * The files with these names.
 *
 * @throws {Error} if one is missing, present twice or not a plain file, or if the archive is truncated or a
 *   header is damaged. Names in extended headers (pax) are ignored: such a file is listed under its short
 *   name.
 */
export function readTarFiles(tar: Uint8Array, names: readonly string[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (let at = 0; ;) {
    const header = Buffer.from(slice(tar, at, BLOCK_BYTES));
    // Blocks of zeros mark the end.
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

/** The sum of all header bytes, with the checksum field itself counted as spaces. */
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

/** Up to the first zero byte, if there is one. */
function readText(header: Buffer, [from, to]: readonly [number, number]): string {
  const [text = ''] = header.toString('latin1', from, to).split('\0');
  return text;
}
