export { privatePayments, type ClientWithPayments } from './plugin.ts';
export { TransactionRefused, type RefusalReason } from './approve.ts';
export type { EmbeddedOptions, KitOptions, PaymentLimits } from './options.ts';
export type { Payments, Receipt } from './payments.ts';
