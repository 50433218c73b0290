import { VECTOR_TRANSACTIONS } from '../../../src/payments/explain/testing/vector-transactions.ts';
import { instructionsOf } from '../../run-operation.ts';
import { NOT_CLEAR } from '../row.ts';
import { extra, type Extra } from './extra.ts';

/** All recorded instructions of both layouts, with their recorded wallets, which do not exist here. */
export const FOREIGN_EXTRAS: readonly Extra[] = VECTOR_TRANSACTIONS.filter(({ level }) => level === 'ix').map(
  ({ id, op, transactionBase64 }) =>
    extra(`${op} of strangers (${id})`, NOT_CLEAR, () => instructionsOf(transactionBase64)),
);
