import type { Merchant } from '../../checkout/merchants.ts';
import type { Order, PaymentLink } from '../../checkout/order.ts';
import type { Clock } from '../../ports/clock.ts';
import { systemTimer } from '../../ports/timer.ts';
import { PostgresBudgetStore } from './budget-store.ts';
import { PostgresApiKeyStore } from './api-key-store.ts';
import { Database } from './database.ts';
import { PostgresKeyStore } from './key-store.ts';
import { PostgresLoginStore } from './login-store.ts';
import { PostgresPaymentStore } from './payment-store.ts';
import { PostgresRecordStore } from './record-store.ts';

/** Connections for the budgets. More would only wait, because each budget is spent by one at a time. */
const BUDGET_CONNECTIONS_MAX = 3;

/** Opens the stores of a service in PostgreSQL. Nothing is connected before the first use. */
export function openPostgresStores(
  url: string,
  clock: Clock,
  budgets: { readonly sponsor: string; readonly facilitator: string },
  records: { readonly merchants: string; readonly orders: string; readonly links: string },
) {
  const database = new Database(url);
  // Payments that wait for a budget must not take the connections of all other requests.
  const spending = new Database(url, systemTimer, BUDGET_CONNECTIONS_MAX);
  return {
    keys: new PostgresKeyStore(database),
    apiKeys: new PostgresApiKeyStore(database),
    logins: new PostgresLoginStore(database, clock),
    sponsorBudget: new PostgresBudgetStore(spending, budgets.sponsor),
    payments: new PostgresPaymentStore(database),
    merchants: new PostgresRecordStore<Merchant>(database, records.merchants),
    orders: new PostgresRecordStore<Order>(database, records.orders),
    links: new PostgresRecordStore<PaymentLink>(database, records.links),
    facilitatorBudget: new PostgresBudgetStore(spending, budgets.facilitator),
    close: async () => {
      await Promise.all([database.close(), spending.close()]);
    },
  };
}
