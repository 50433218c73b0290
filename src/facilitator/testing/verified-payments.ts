import type { VerifiedPayment } from '../verified-payment.ts';

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
