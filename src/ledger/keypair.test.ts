import { describe, expect, it } from 'vitest';
import { MEMO_PROGRAM } from '../programs/addresses.ts';
import { recipientOf } from '../programs/private-transfer/seal-transfer.ts';
import { freshKey, sealBox } from '../programs/private-transfer/sealed-box.ts';
import { addressOf } from '../solana/address.ts';
import { signer } from '../solana/instruction.ts';
import { compileLegacyMessage } from '../solana/message.ts';
import { LiteSvmEngine } from './engine/litesvm-engine.ts';
import { Keypair, signTransaction } from './keypair.ts';
import { SeededRandom } from './testing/seeded-random.ts';

const random = new SeededRandom('keypair');

describe('Keypair', () => {
  it('opens boxes that are sealed for its address only', () => {
    const [keypair, other] = [new Keypair(random.bytes(32)), new Keypair(random.bytes(32))];
    const secret = Uint8Array.of(1, 2, 3);
    const sealed = sealBox(secret, recipientOf(keypair.address).boxKey, freshKey(random));
    expect(keypair.openSealed(sealed)).toEqual(secret);
    expect(other.openSealed(sealed)).toBeNull();
    expect(keypair.openSealed(sealed.fill(0, -1))).toBeNull();
  });

  it('is the key of RFC 8032, section 7.1, test 2', () => {
    const seed = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
    const publicKey = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex');
    const keypair = new Keypair(seed);
    expect(keypair.address).toBe(addressOf(publicKey));
    expect(Buffer.from(keypair.sign(Uint8Array.of(0x72))).toString('hex')).toBe(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    );
  });

  it('never shows its secret', () => {
    const seed = random.bytes(32);
    const shown = JSON.stringify(new Keypair(seed)) + String(Object.values(new Keypair(seed)));
    expect(shown).not.toContain(Buffer.from(seed).toString('hex'));
    expect(Object.keys(new Keypair(seed))).toEqual(['address']);
  });
});

describe('signTransaction', () => {
  const [payer, other, stranger] = [1, 2, 3].map(() => new Keypair(random.bytes(32))) as [
    Keypair,
    Keypair,
    Keypair,
  ];
  const message = compileLegacyMessage({
    feePayer: payer.address,
    blockhash: random.bytes(32),
    instructions: [{ programId: MEMO_PROGRAM, accounts: [signer(other.address)], data: new Uint8Array(0) }],
  });

  it('places each signature at its signer, in any order of the keys', () => {
    const engine = new LiteSvmEngine();
    expect(engine.hasValidSignatures(signTransaction(message, [other, payer]))).toBe(true);
    expect(engine.hasValidSignatures(signTransaction(message, [payer]))).toBe(false);
  });

  it('rejects a key that is not a signer of the message', () => {
    expect(() => signTransaction(message, [payer, stranger])).toThrow(stranger.address);
  });
});
