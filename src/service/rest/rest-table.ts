import type { ServedOperation } from '../served-operation.ts';

interface RestPlace {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Heading of the operation in the documentation. */
  readonly group: RestGroup;
  /** Whether the operation uses the caller's bearer token. */
  readonly token?: 'required' | 'optional';
  /** Whether the response is secret. Secret responses are not stored, so `Idempotency-Key` has no effect. */
  readonly isSecret?: boolean;
}

/** The headings of the REST API, in document order. */
export const REST_GROUPS = [
  'Payments',
  'Balances',
  'Swaps',
  'Mints',
  'Stealth pools',
  'Transactions',
  'Sign-in',
] as const;

type RestGroup = (typeof REST_GROUPS)[number];

/**
 * The REST API by operation. It has the methods and paths of the hosted Private Payments API (MagicBlock
 * documentation, API reference of the ephemeral SPL token), plus `/v1/transaction/explain`.
 */
export const REST_TABLE: Readonly<Record<string, RestPlace>> = {
  deposit: { method: 'POST', path: '/v1/spl/deposit', group: 'Payments' },
  transfer: { method: 'POST', path: '/v1/spl/transfer', group: 'Payments', token: 'optional' },
  withdraw: { method: 'POST', path: '/v1/spl/withdraw', group: 'Payments', token: 'optional' },
  undelegate: {
    method: 'POST',
    path: '/v1/spl/undelegate-ephemeral-ata',
    group: 'Payments',
    token: 'optional',
  },
  recoverShuttles: { method: 'POST', path: '/v1/spl/recover-shuttles', group: 'Payments' },
  getBalance: { method: 'GET', path: '/v1/spl/balance', group: 'Balances' },
  getPrivateBalance: {
    method: 'GET',
    path: '/v1/spl/private-balance',
    group: 'Balances',
    token: 'required',
  },
  swapQuote: { method: 'GET', path: '/v1/swap/quote', group: 'Swaps' },
  swap: { method: 'POST', path: '/v1/swap/swap', group: 'Swaps' },
  initializeMint: { method: 'POST', path: '/v1/spl/initialize-mint', group: 'Mints' },
  isMintInitialized: { method: 'GET', path: '/v1/spl/is-mint-initialized', group: 'Mints' },
  createLookupTable: { method: 'POST', path: '/v1/spl/lookup-table', group: 'Mints' },
  ensureTransferQueueCrank: { method: 'POST', path: '/v1/spl/transfer-queue/ensure-crank', group: 'Mints' },
  createStealthPool: {
    method: 'POST',
    path: '/v1/spl/stealth-pool',
    group: 'Stealth pools',
    token: 'required',
  },
  getStealthPool: { method: 'GET', path: '/v1/spl/stealth-pool', group: 'Stealth pools' },
  explainTransaction: {
    method: 'POST',
    path: '/v1/transaction/explain',
    group: 'Transactions',
    token: 'optional',
  },
  sendTransaction: {
    method: 'POST',
    path: '/v1/transaction/send',
    group: 'Transactions',
    token: 'optional',
  },
  challenge: { method: 'GET', path: '/v1/spl/challenge', group: 'Sign-in' },
  login: { method: 'POST', path: '/v1/spl/login', group: 'Sign-in', isSecret: true },
};

/** An operation with its method and path. */
export interface PlacedOperation {
  readonly place: RestPlace;
  readonly served: ServedOperation;
}

/** Returns the operations that have a REST path, in table order. */
export function placeOperations(operations: readonly ServedOperation[]): readonly PlacedOperation[] {
  return Object.entries(REST_TABLE).flatMap(([name, place]) =>
    operations.filter(({ operation }) => operation.name === name).map((served) => ({ place, served })),
  );
}
