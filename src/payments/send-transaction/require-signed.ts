import { ServiceError } from '../../errors/service-error.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { readSignatures } from '../explain/signatures.ts';

/**
 * Refuses a transaction whose blockhash differs from the one the caller states.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS.
 */
export function requireBlockhash({ wire, blockhashAt }: Transaction, expected: string | undefined): void {
  const found = encodeBase58(wire.subarray(blockhashAt, blockhashAt + 32));
  if (expected === undefined || expected === found) return;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    `recentBlockhash is ${expected}, and the transaction is built on ${found}; pass what was returned with it, or leave it out`,
    { field: 'recentBlockhash' },
  );
}

/**
 * Refuses a transaction with a missing or wrong signature.
 *
 * @throws {ServiceError} INVALID_TRANSACTION.
 */
export function requireSignatures(transaction: Transaction): void {
  const faulty = readSignatures(transaction).filter(({ signature }) => signature !== 'valid');
  if (faulty.length === 0) return;
  const faults = faulty.map(({ address, signature }) => `that of ${address} is ${signature}`);
  throw new ServiceError(
    'INVALID_TRANSACTION',
    `transactionBase64 is not fully signed: of its signatures ${faults.join(', ')}. Sign the transaction unchanged with every required signer.`,
    { field: 'transactionBase64', signers: faulty.map(({ address }) => address) },
  );
}
