import { call, type CallOptions, type CallSettings } from './call.ts';
import { ROUTES, type Calls } from './generated.ts';
import type { ClientPorts } from './ports.ts';

/** Retries of a call, and the time for all of it, ms. Waiting for a transaction alone takes up to 30 s. */
export const RETRIES_MAX = 3;
export const TIMEOUT_MS = 60_000;

/** The service, with a function for each of its REST operations. */
export type PrivatePayments = Calls<CallOptions>;

/** A client with settings that are valid. */
export function callsWith(settings: CallSettings, ports: ClientPorts): PrivatePayments {
  const calls = Object.entries(ROUTES).map(([name, route]) => [
    name,
    (input: object, own: CallOptions = {}) => call(route, input, own, settings, ports),
  ]);
  return Object.fromEntries(calls) as PrivatePayments;
}
