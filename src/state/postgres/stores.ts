import type { Clock } from '../../ports/clock.ts';
import { PostgresBudgetStore } from './budget-store.ts';
import { PostgresApiKeyStore } from './api-key-store.ts';
import { Database } from './database.ts';
import { PostgresKeyStore } from './key-store.ts';
import { PostgresLoginStore } from './login-store.ts';

/** Opens the stores of a service in PostgreSQL. Nothing is connected before the first use. */
export function openPostgresStores(url: string, clock: Clock, budget: string) {
  const database = new Database(url);
  return {
    keys: new PostgresKeyStore(database),
    apiKeys: new PostgresApiKeyStore(database),
    logins: new PostgresLoginStore(database, clock),
    sponsorBudget: new PostgresBudgetStore(database, budget),
    close: () => database.close(),
  };
}
