import {
  CHALLENGE_ROUTE,
  CREATE_STEALTH_POOL_ROUTE,
  DEPOSIT_ROUTE,
  EXPLAIN_TRANSACTION_ROUTE,
  GET_BALANCE_ROUTE,
  INITIALIZE_MINT_ROUTE,
  IS_MINT_INITIALIZED_ROUTE,
  LOGIN_ROUTE,
  SEND_TRANSACTION_ROUTE,
  TRANSFER_ROUTE,
  UNDELEGATE_ROUTE,
  WITHDRAW_ROUTE,
} from '../../src/client/generated.ts';
import type { PrivatePayments } from '../../src/client/private-payments.ts';

/** The operations that the page calls: it carries the routes of no others. */
export const SERVICE_ROUTES = {
  deposit: DEPOSIT_ROUTE,
  transfer: TRANSFER_ROUTE,
  withdraw: WITHDRAW_ROUTE,
  undelegate: UNDELEGATE_ROUTE,
  getBalance: GET_BALANCE_ROUTE,
  initializeMint: INITIALIZE_MINT_ROUTE,
  isMintInitialized: IS_MINT_INITIALIZED_ROUTE,
  createStealthPool: CREATE_STEALTH_POOL_ROUTE,
  explainTransaction: EXPLAIN_TRANSACTION_ROUTE,
  sendTransaction: SEND_TRANSACTION_ROUTE,
  challenge: CHALLENGE_ROUTE,
  login: LOGIN_ROUTE,
};

/** The service as the page calls it. */
export type Service = Pick<PrivatePayments, keyof typeof SERVICE_ROUTES>;
