export { createPrivatePayments, type ClientOptions } from './private-payments.ts';
export type { PrivatePayments } from './private-payments.ts';
export { PaymentsError, type InvalidField, type PaymentsErrorCode } from './payments-error.ts';
export type { CallOptions } from './call.ts';
export { withPolicy, type PolicyOptions, type SignedPayment } from './with-policy.ts';
export { PolicyRefusal } from './policy-refusal.ts';
export type { MintCaps, SpendingPolicy } from '../policy/policy.ts';
export type { Table, Tables } from '../ports/tables.ts';

export type * from './generated.ts';
