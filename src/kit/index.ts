export { privatePayments, type ClientWithPayments } from './plugin.ts';
export { TransactionRefused, type RefusalReason } from './approve.ts';
export type { KitOptions, PaymentLimits } from './payments.ts';
export type { Payments, Receipt } from './payments.ts';
