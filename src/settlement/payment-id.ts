import { createHash } from 'node:crypto';
import { messageOf, type Transaction } from '../solana/transaction.ts';

/** Returns the id of a payment: SHA-256 of the message that its payer has signed, base64url. */
export const paymentIdOf = (transaction: Transaction): string =>
  createHash('sha256').update(messageOf(transaction)).digest('base64url');
