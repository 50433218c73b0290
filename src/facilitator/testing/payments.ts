import type { Payment } from '../payment-store.ts';
import type { VerifiedPayment } from '../verified-payment.ts';

/** Returns a signed payment. */
export const paymentOf = (id: string, members: Partial<Payment> = {}): Payment => ({
  id,
  identifier: null,
  state: 'signed',
  version: 0,
  cluster: 'localnet',
  ledger: 'rollup',
  network: 'solana:localnet',
  wire: new Uint8Array([1, 2, 255]),
  signature: `signature of ${id}`,
  lastValidBlockHeight: 150,
  payer: 'payer',
  payTo: 'payTo',
  mint: 'mint',
  amount: 10_000n,
  slot: null,
  error: null,
  isReleased: false,
  createdMs: 0,
  ...members,
});

/** Returns a verified payment. */
export const verifiedOf = (id: string, members: Partial<VerifiedPayment> = {}): VerifiedPayment => ({
  id,
  identifier: null,
  cluster: 'localnet',
  ledger: 'base',
  network: 'solana:localnet',
  wire: new Uint8Array(),
  lastValidBlockHeight: 150,
  payer: 'payer',
  payTo: 'payTo',
  mint: 'mint',
  amount: 10_000n,
  lamportsMax: 100n,
  ...members,
});
