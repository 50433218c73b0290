import { describe, expect, it } from 'vitest';
import { makeTar } from './testing/tarball.ts';
import { readTarFiles } from './ustar.ts';

const long = { name: 'long', content: Buffer.alloc(1_300, 7) };
const short = { name: 'package/short', content: Buffer.from('abc') };
const whole = { name: 'whole', content: Buffer.alloc(512, 9) };

describe('readTarFiles', () => {
  it('reads the files that are asked for, and passes over the others', () => {
    const tar = makeTar([long, { name: 'folder', content: Buffer.alloc(0), type: '5' }, short, whole]);
    expect(Object.fromEntries(readTarFiles(tar, ['package/short', 'whole']))).toEqual({
      'package/short': short.content,
      whole: whole.content,
    });
  });

  it('puts a name together that is in two parts', () => {
    const tar = makeTar([{ ...short, name: 'c', prefix: 'a/b' }]);
    expect([...readTarFiles(tar, ['a/b/c']).keys()]).toEqual(['a/b/c']);
  });

  it('reads what tar itself writes with a name of all 100 bytes', () => {
    const name = 'n'.repeat(100);
    expect(readTarFiles(makeTar([{ ...short, name }]), [name]).get(name)).toHaveLength(3);
  });

  it('knows a file by its exact name alone', () => {
    const names = ['short', './package/short', 'package/../package/short', 'package/shor'];
    for (const name of names) expect(() => readTarFiles(makeTar([short]), [name])).toThrow(`has no ${name}`);
  });

  it('refuses what is twice there, or no plain file', () => {
    expect(() => readTarFiles(makeTar([short, short]), [short.name])).toThrow('twice');
    for (const type of ['1', '2', '5', 'L', 'x']) {
      expect(() => readTarFiles(makeTar([{ ...short, type }]), [short.name]), type).toThrow('is no file');
    }
  });

  it('refuses an archive that breaks off anywhere', () => {
    const tar = makeTar([long, whole]);
    // The first of the two blocks of zeros at the end is enough of an end.
    for (let length = 0; length < tar.length - 512; length += 128) {
      expect(() => readTarFiles(tar.subarray(0, length), ['whole']), `${length} bytes`).toThrow('breaks off');
    }
  });

  it('refuses a header that is damaged anywhere', () => {
    for (let at = 0; at < 512; at++) {
      // What follows the zero after the checksum is no part of anything.
      if (at === 155) continue;
      const tar = makeTar([short]);
      tar[at] = (tar[at] ?? 0) ^ 0x01;
      expect(() => readTarFiles(tar, [short.name]), `byte ${at}`).toThrow();
    }
  });
});
