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

/** What the operation of a vector is called here, where it has another name. */
const OPERATIONS: Readonly<Record<string, string>> = {
  delegateSpl: 'deposit',
  delegatePrivateSpl: 'deposit',
  undelegateEphemeralAta: 'undelegate',
  'stealthPool.setup': 'createStealthPool',
  'stealthPool.update': 'createStealthPool',
  'transfer.v0': 'transfer',
};

/**
 * Whether an operation would build it: not with inputs that none takes or a validator that is left to the
 * program, and not with USDC as a mint of Token-2022, which it is nowhere.
 */
const isAskable = ({ level, op, input }: VectorTransaction): boolean =>
  level === 'hosted'
    ? op !== 'ensureTransferQueueCrank' && !('tokenProgram' in input)
    : ['delegateSpl', 'delegatePrivateSpl'].includes(op) &&
      'validator' in input &&
      !('payer' in input) &&
      !('permissionFlags' in input);

/** Each of the two transactions of a pool was recorded with what it takes alone. */
const requestOf = (vector: VectorTransaction) => {
  const operation = OPERATIONS[vector.op] ?? vector.op;
  const fillers = operation === 'createStealthPool' ? { destinations: [strange(9)] } : {};
  return { operation, arguments: { ...fillers, ...requestArguments(vector) } };
};

/** A recorded transaction, looked at by its bytes alone. */
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

/** What was recorded of both layouts, with the request it was recorded for: no alarm may be raised. */
export const vectorRows = (layout: Layout): Row<WorldB>[] => [
  ...VECTOR_TRANSACTIONS.filter((vector) => vector.layout === layout && isAskable(vector)).map((vector) =>
    // To set whom a handle pays hands it over, to whoever has not asked for it.
    rowOf(vector, vector.op === 'stealthPool.update' ? DANGER : NO_DANGER),
  ),
  // A table that is not read may hide anything.
  ...(layout === 'b'
    ? [{ ...rowOf(vectorV0(), NOT_CLEAR), name: 'the recorded transfer of version 0' }]
    : []),
];
