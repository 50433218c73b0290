import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HandClock } from '../../ledger/testing/hand-clock.ts';
import { addressOf } from '../../solana/address.ts';
import { TOKEN_LIFETIME_MS, Tokens } from './tokens.ts';

const SECRET = new Uint8Array(32).fill(1);
const OWNER = addressOf(new Uint8Array(32).fill(5));

function begin(secret = SECRET) {
  const clock = new HandClock();
  return { clock, tokens: new Tokens(secret, clock) };
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

const sign = (signed: string, algorithm = 'sha256', secret: Uint8Array = SECRET) =>
  `${signed}.${createHmac(algorithm, secret).update(signed).digest('base64url')}`;

const forge = (header: object, claims: object, algorithm?: string, secret?: Uint8Array) =>
  sign(`${encode(header)}.${encode(claims)}`, algorithm, secret);

const HEADER = { alg: 'HS256', typ: 'JWT' };
const claims = (exp: unknown, pubkey: unknown = OWNER) => ({ pubkey, iat: 1, exp });
const LATE = 4_000_000_000;

/** Larger than a double. */
const ENDLESS = Buffer.from(`{"pubkey":"${OWNER}","exp":1e400}`).toString('base64url');

/** The same bytes in base64: the last character of 32 bytes has two unused bits. */
function withSpareBits(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) as string) + 1];
}

describe('Tokens', () => {
  it('name their holder to this service and to clients that read JSON Web Tokens', () => {
    const { clock, tokens } = begin();
    const { token, expiresAt } = tokens.issue(OWNER);
    expect(tokens.holderOf(token)).toBe(OWNER);
    const [header, body] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header ?? '')).toEqual(HEADER);
    expect(JSON.parse(body ?? '')).toEqual({
      pubkey: OWNER,
      iat: clock.now() / 1_000,
      exp: expiresAt / 1_000,
    });
    expect(expiresAt).toBe(clock.now() + TOKEN_LIFETIME_MS);
  });

  it('expire', () => {
    const { clock, tokens } = begin();
    const { token } = tokens.issue(OWNER);
    clock.pass(TOKEN_LIFETIME_MS - 1);
    expect(tokens.holderOf(token)).toBe(OWNER);
    clock.pass(1);
    expect(tokens.holderOf(token)).toBeUndefined();
  });

  it('stay expired if the clock goes back, and new ones are valid then', () => {
    const { clock, tokens } = begin();
    const { token } = tokens.issue(OWNER);
    clock.pass(TOKEN_LIFETIME_MS);
    expect(tokens.holderOf(token)).toBeUndefined();
    clock.pass(-2 * TOKEN_LIFETIME_MS);
    expect(tokens.holderOf(token)).toBeUndefined();
    expect(tokens.holderOf(tokens.issue(OWNER).token)).toBe(OWNER);
  });

  it('are invalid under another secret', () => {
    const { token } = begin().tokens.issue(OWNER);
    expect(begin(new Uint8Array(32).fill(2)).tokens.holderOf(token)).toBeUndefined();
  });

  it('are not issued if the secret is too short', () => {
    expect(() => begin(new Uint8Array(31))).toThrow(TypeError);
  });

  it('match those this test forges with the secret', () => {
    expect(begin().tokens.holderOf(forge(HEADER, claims(LATE)))).toBe(OWNER);
  });

  it.each([
    ['no algorithm', `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims(LATE))}.`],
    ['no algorithm and a signature', forge({ alg: 'none', typ: 'JWT' }, claims(LATE))],
    ['another algorithm', forge({ alg: 'HS512', typ: 'JWT' }, claims(LATE), 'sha512')],
    ['reordered members of the header', forge({ typ: 'JWT', alg: 'HS256' }, claims(LATE))],
    ['an embedded key', forge({ ...HEADER, jwk: { k: 'AQ' } }, claims(LATE))],
    ['another key', forge(HEADER, claims(LATE), 'sha256', new Uint8Array(32))],
    ['an expiry that is not a number', forge(HEADER, claims('never'))],
    ['an expiry that is not finite', sign(`${encode(HEADER)}.${ENDLESS}`)],
    ['no expiry', forge(HEADER, { pubkey: OWNER })],
    ['an invalid wallet', forge(HEADER, claims(LATE, 'me'))],
    ['invalid claims', forge(HEADER, [])],
    ['no signature', `${encode(HEADER)}.${encode(claims(LATE))}`],
    ['an empty signature', `${encode(HEADER)}.${encode(claims(LATE))}.`],
    ['another encoding of the signature', `${forge(HEADER, claims(LATE))}=`],
    ['spare bits in its signature', withSpareBits(forge(HEADER, claims(LATE)))],
    ['a space in its signature', forge(HEADER, claims(LATE)).replace(/.{5}$/, ' $&')],
    ['an extra part', `${forge(HEADER, claims(LATE))}.x`],
    ['only a header', encode(HEADER)],
    ['no token', ''],
    ['a very long text', `${encode(HEADER)}.${'A'.repeat(2_000)}`],
    ['non-ASCII letters', `${encode(HEADER)}.é.ß`],
  ])('are rejected with %s', (_, token) => {
    expect(begin().tokens.holderOf(token)).toBeUndefined();
  });

  it('are rejected if any one character differs', () => {
    const { tokens } = begin();
    const { token } = tokens.issue(OWNER);
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(tokens.holderOf(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
    }
  });
});
