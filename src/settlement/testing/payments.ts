import type { Payment } from '../payment-store.ts';

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
  order: null,
  delivery: null,
  createdMs: 0,
  finishedMs: null,
  ...members,
});
