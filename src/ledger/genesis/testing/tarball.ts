import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { DumpsPackage } from '../dumps.ts';

/** An entry of an archive; a plain file if it has no type. */
interface TarEntry {
  readonly name: string;
  readonly content: Uint8Array;
  readonly type?: string;
  /** Leading part of the name, which the archive stores separately. */
  readonly prefix?: string;
}

/** Creates an archive in the ustar format. */
export function makeTar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const { content } = entry;
    const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
    return [makeHeader(entry), content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

function makeHeader({ name, content, type = '0', prefix = '' }: TarEntry): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 'latin1');
  header.write('000644 \0', 100, 'latin1');
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write(' '.repeat(8), 148, 'latin1');
  header.write(type, 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(prefix, 345, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** Creates an npm tarball with dumps, and its description. */
export function makePackage(dumps: Readonly<Record<string, string>>): {
  readonly source: DumpsPackage;
  readonly tarball: Buffer;
} {
  const files = Object.entries(dumps).map(([name, text]) => ({ name, content: Buffer.from(text) }));
  const entries = files.map(({ name, content }) => ({ name: `package/bin/dumps/${name}`, content }));
  const about = { name: 'package/package.json', content: Buffer.from('{}') };
  const tarball = gzipSync(makeTar([about, ...entries]));
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  return {
    tarball,
    source: {
      name: '@test/dumps',
      version: '1.2.3',
      license: 'Test License 1.0',
      integrity,
      folder: 'bin/dumps',
      dumps: new Map(
        files.map(({ name, content }) => [name, createHash('sha256').update(content).digest('hex')]),
      ),
    },
  };
}
