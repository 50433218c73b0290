import type { Layout } from '../../../src/chain/chain.ts';
import {
  requestArguments,
  VECTOR_TRANSACTIONS,
  vectorV0,
  type VectorTransaction,
} from '../../../src/payments/explain/testing/vector-transactions.ts';
import { NO_DANGER, DANGER, NOT_CLEAR, type Row } from '../row.ts';
import { strange } from '../world/kit.ts';
import type { WorldB } from '../world/world-b.ts';

/** Operation names that differ from the names in the vectors. */
const OPERATIONS: Readonly<Record<string, string>> = {
  delegateSpl: 'deposit',
  delegatePrivateSpl: 'deposit',
  undelegateEphemeralAta: 'undelegate',
  'stealthPool.setup': 'createStealthPool',
  'stealthPool.update': 'createStealthPool',
  'transfer.v0': 'transfer',
};

/**
 * Whether an operation can build it. Excludes unsupported inputs, vectors without a validator, and USDC as a
 * Token-2022 mint.
 */
const isAskable = ({ level, op, input }: VectorTransaction): boolean =>
  level === 'hosted'
    ? op !== 'ensureTransferQueueCrank' && !('tokenProgram' in input)
    : ['delegateSpl', 'delegatePrivateSpl'].includes(op) &&
      'validator' in input &&
      !('payer' in input) &&
      !('permissionFlags' in input);

/** The two transactions of a pool were recorded with only their own arguments, so the rest is filled in. */
const requestOf = (vector: VectorTransaction) => {
  const operation = OPERATIONS[vector.op] ?? vector.op;
  const fillers = operation === 'createStealthPool' ? { destinations: [strange(9)] } : {};
  return { operation, arguments: { ...fillers, ...requestArguments(vector) } };
};

/** Creates a recorded transaction that is judged only by its bytes. */
const rowOf = (vector: VectorTransaction, alone: Row['alone']): Row<WorldB> => ({
  name: `${vector.id} ${vector.op}, as it was recorded`,
  alone,
  asked: ['yes', 'unverifiable'],
  make: () => ({
    transactionBase64: vector.transactionBase64,
    offline: true,
    request: requestOf(vector),
    ...(vector.sendTo === null ? {} : { sendTo: vector.sendTo }),
  }),
});

/** Returns recorded transactions with their requests, which must not raise an alarm. */
export const vectorRows = (layout: Layout): Row<WorldB>[] => [
  ...VECTOR_TRANSACTIONS.filter((vector) => vector.layout === layout && isAskable(vector)).map((vector) =>
    // Without a request, changing a handle's destinations counts as handing it over.
    rowOf(vector, vector.op === 'stealthPool.update' ? DANGER : NO_DANGER),
  ),
  // An unread table can hide anything.
  ...(layout === 'b'
    ? [{ ...rowOf(vectorV0(), NOT_CLEAR), name: 'the recorded transfer of version 0' }]
    : []),
];
