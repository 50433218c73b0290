import type { Clock } from '../../ports/clock.ts';
import { PostgresBudgetStore } from './budget-store.ts';
import { PostgresApiKeyStore } from './api-key-store.ts';
import { Database } from './database.ts';
import { PostgresKeyStore } from './key-store.ts';
import { PostgresLoginStore } from './login-store.ts';
import { PostgresPaymentStore } from './payment-store.ts';

/** Opens the stores of a service in PostgreSQL. Nothing is connected before the first use. */
export function openPostgresStores(
  url: string,
  clock: Clock,
  budgets: { readonly sponsor: string; readonly facilitator: string },
) {
  const database = new Database(url);
  return {
    keys: new PostgresKeyStore(database),
    apiKeys: new PostgresApiKeyStore(database),
    logins: new PostgresLoginStore(database, clock),
    sponsorBudget: new PostgresBudgetStore(database, budgets.sponsor),
    payments: new PostgresPaymentStore(database),
    facilitatorBudget: new PostgresBudgetStore(database, budgets.facilitator),
    close: () => database.close(),
  };
}
