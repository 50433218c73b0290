import { expect, it } from 'vitest';
import { ByteSource } from './byte-source.ts';

it('a number that does not end with the bytes is an error', () => {
  expect(new ByteSource(Buffer.of(0x80, 0x01)).varint()).toBe(128);
  expect(() => new ByteSource(Buffer.of(0x80, 0x80)).varint()).toThrow('the bytes end within a number');
  expect(() => new ByteSource(Buffer.alloc(0)).bigVarint()).toThrow('the bytes end within a number');
});
