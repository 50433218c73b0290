import { ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import { Keypair } from '../../ledger/keypair.ts';
import { HandClock } from '../../ledger/testing/hand-clock.ts';
import { addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { createRollupAuth, isSignedBy, LoginService } from './login-service.ts';

const wallet = new Keypair(new Uint8Array(32).fill(7));
const other = new Keypair(new Uint8Array(32).fill(8));

const open = () =>
  new LoginService({
    secret: new Uint8Array(32).fill(1),
    clock: new HandClock(),
    readersOf: (account) => (account === other.address ? [wallet.address] : null),
  });

const signText = (key: Keypair, text: string) => encodeBase58(key.sign(Buffer.from(text)));

function answerOf(logins: LoginService, signer = wallet) {
  const challenge = logins.challenge(wallet.address);
  return { owner: wallet.address, challenge, signature: signText(signer, challenge) };
}

describe('LoginService', () => {
  it('returns a token for a signed challenge, once', () => {
    const logins = open();
    const answer = answerOf(logins);
    const issued = logins.login(answer);
    if ('refusal' in issued) throw new Error(issued.refusal);
    expect(logins.readerOf(issued.token)).toBe(wallet.address);
    expect(logins.login(answer)).toEqual({ refusal: expect.stringContaining('already used') });
    expect(logins.login(answerOf(logins))).toMatchObject({ token: expect.any(String) });
  });

  it('is not affected by wrong answers from others', () => {
    const logins = open();
    const answer = answerOf(logins);
    expect(logins.login({ ...answer, signature: signText(other, answer.challenge) })).toEqual({
      refusal: expect.stringContaining('not an ed25519 signature'),
    });
    expect(logins.login(answer)).toMatchObject({ token: expect.any(String) });
  });

  it('rejects the challenge of one wallet from another', () => {
    const logins = open();
    const answer = answerOf(logins, other);
    expect(logins.login({ ...answer, owner: other.address })).toEqual({
      refusal: expect.stringContaining('another wallet'),
    });
  });

  it('works the same for the payment operations', async () => {
    const auth = createRollupAuth(open());
    const challenge = await auth.challenge(wallet.address);
    const proof = { owner: wallet.address, challenge, signature: signText(wallet, challenge) };
    const { token } = await auth.login(proof);
    expect(await auth.authorizedUsers(other.address, token)).toEqual([wallet.address]);
    expect(await auth.authorizedUsers(wallet.address, token)).toBeNull();
    await expect(auth.login(proof)).rejects.toMatchObject({ code: 'AUTH_REFUSED' });
    await expect(auth.authorizedUsers(other.address, 'made up')).rejects.toMatchObject({
      code: 'AUTH_REFUSED',
    });
  });
});

describe('isSignedBy()', () => {
  const text = 'Ünïcode';
  const signature = wallet.sign(Buffer.from(text));

  it('accepts the signature of the UTF-8 bytes', () => {
    expect(isSignedBy(wallet.address, text, encodeBase58(signature))).toBe(true);
  });

  it.each([
    ['another text', wallet.address, 'other', encodeBase58(signature)],
    ['another wallet', other.address, text, encodeBase58(signature)],
    ['a truncated signature', wallet.address, text, encodeBase58(signature.subarray(1))],
    ['text that is not base58', wallet.address, text, '0OIl'],
    ['hexadecimal', wallet.address, text, Buffer.from(signature).toString('hex')],
    ['zeros', wallet.address, text, encodeBase58(new Uint8Array(64))],
  ] as const)('rejects %s', (_, owner, said, given) => {
    expect(isSignedBy(owner, said, given)).toBe(false);
  });

  it('rejects keys and signatures of small order, which fit any text', () => {
    for (const point of ED25519_TORSION_SUBGROUP) {
      const bytes = Buffer.from(point, 'hex');
      const forged = encodeBase58(Buffer.concat([bytes, new Uint8Array(32)]));
      expect(isSignedBy(addressOf(bytes), text, forged)).toBe(false);
      expect(isSignedBy(wallet.address, text, forged)).toBe(false);
    }
  });
});
