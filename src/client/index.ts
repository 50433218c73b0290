export { createPrivatePayments, type ClientOptions } from './private-payments.ts';
export type { PrivatePayments } from './private-payments.ts';
export { PaymentsError, type InvalidField, type PaymentsErrorCode } from './payments-error.ts';
export type { CallOptions } from './call.ts';

export type * from './generated.ts';
