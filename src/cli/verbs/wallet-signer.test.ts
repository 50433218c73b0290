import { expect, it } from 'vitest';
import { Keypair } from '../../ledger/keypair.ts';
import { signerOf } from './wallet-signer.ts';

it('returns no unusable signature, and counts it as not signed', async () => {
  const told: string[] = [];
  const { signer, signature } = signerOf(new Keypair(new Uint8Array(32).fill(7)), (text) => {
    told.push(text);
    return Promise.reject(new Error('an earlier payment'));
  });
  if (!('signTransactions' in signer)) throw new Error('signs no transactions');
  const transaction = { messageBytes: Uint8Array.of(1), signatures: {} };
  await expect(signer.signTransactions([transaction as never])).rejects.toThrow('an earlier payment');
  expect(told).toHaveLength(1);
  expect(signature()).toBeNull();
});
