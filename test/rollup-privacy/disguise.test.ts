import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../src/solana/base58.ts';
import { createDisguise } from './disguise.ts';

const BOX = Uint8Array.of(9, 8, 7, 6, 5, 4, 3, 2, 1, 250, 251, 252);
const AROUND = Buffer.concat([Buffer.from('before'), BOX, Buffer.from('after')]);
const disguise = createDisguise([
  { bytes: BOX, name: '(box)' },
  { bytes: Uint8Array.of(1, 1, 2, 3, 5, 8, 13, 21), name: '(signature)' },
]);

describe('the replacement of opaque bytes', () => {
  it.each([
    ['as base58', encodeBase58(BOX), '(box)'],
    ['as hex', Buffer.from(BOX).toString('hex'), '(box)'],
    ['another one', `tail ${encodeBase58(Uint8Array.of(1, 1, 2, 3, 5, 8, 13, 21))}`, 'tail (signature)'],
  ])('is their name %s', (_, text, expected) => {
    expect(disguise(`log: ${text}.`)).toBe(`log: ${expected}.`);
  });

  it.each([
    ['base64', AROUND.toString('base64')],
    ['base58', encodeBase58(AROUND)],
  ])('is their name between other text as %s', (encoding, text) => {
    const answer = JSON.stringify({ value: { data: [text, encoding] } });
    expect(disguise(answer)).toBe(
      JSON.stringify({
        value: {
          data: [
            `${Buffer.from('before').toString('hex')}(box)${Buffer.from('after').toString('hex')}`,
            encoding,
          ],
        },
      }),
    );
  });

  it('leaves everything else unchanged', () => {
    const text = `${JSON.stringify({ a: [1, null, 'x'], data: ['AAEC', 'base64'], b: { c: true } })}\nnot JSON`;
    expect(disguise(text)).toBe(text);
    expect(createDisguise([])('{not JSON')).toBe('{not JSON');
  });
});
