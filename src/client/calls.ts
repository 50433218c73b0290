import { call, type CallOptions, type CallSettings } from './call.ts';
import type { Calls, Route } from './generated.ts';
import type { ClientPorts } from './ports.ts';

/** Retries of a call, and the time for all of it, ms. Waiting for a transaction alone takes up to 30 s. */
export const RETRIES_MAX = 3;
export const TIMEOUT_MS = 60_000;

/** The service, with a function for each of its REST operations. */
export type PrivatePayments = Calls<CallOptions>;

/** A client of some operations, by their routes, with settings that are valid. */
export function callsWith<Name extends keyof PrivatePayments>(
  routes: Readonly<Record<Name, Route>>,
  settings: CallSettings,
  ports: ClientPorts,
): Pick<PrivatePayments, Name> {
  const calls = Object.entries<Route>(routes).map(([name, route]) => [
    name,
    (input: object, own: CallOptions = {}) => call(route, input, own, settings, ports),
  ]);
  return Object.fromEntries(calls) as Pick<PrivatePayments, Name>;
}
