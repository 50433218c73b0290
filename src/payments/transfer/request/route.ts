import { ServiceError } from '../../../errors/service-error.ts';

export type Visibility = 'public' | 'private';
export type Location = 'base' | 'ephemeral';

/** The arguments that determine the route. */
export interface RouteRequest {
  readonly visibility: Visibility;
  /** Where the sender's tokens are. */
  readonly fromBalance: Location;
  /** Where the recipient receives them. */
  readonly toBalance: Location;
}

/**
 * How tokens get from one owner to another. On the rollup a transfer is as private as the rollup itself, so
 * `ephemeral` serves both visibilities.
 */
export type Route = 'publicBase' | 'privateBase' | 'baseToEphemeral' | 'ephemeral' | 'ephemeralToBase';

const ROUTES: Readonly<Record<string, Route>> = {
  'public base base': 'publicBase',
  'private base base': 'privateBase',
  'private base ephemeral': 'baseToEphemeral',
  'public ephemeral ephemeral': 'ephemeral',
  'private ephemeral ephemeral': 'ephemeral',
  'private ephemeral base': 'ephemeralToBase',
};

/** The supported combinations. */
const ROUTES_IN_WORDS = Object.keys(ROUTES)
  .map((key) => key.split(' '))
  .map(([visibility, from, to]) => `visibility ${visibility} with fromBalance ${from} and toBalance ${to}`)
  .join('; ');

/**
 * The route of a request.
 *
 * @throws {ServiceError} UNSUPPORTED_TRANSFER_ROUTE for a public transfer between base and rollup: tokens
 *   only cross by a shuttle or a queue, and both are private.
 */
export function routeOf({ visibility, fromBalance, toBalance }: RouteRequest): Route {
  const route = ROUTES[`${visibility} ${fromBalance} ${toBalance}`];
  if (route !== undefined) return route;
  throw new ServiceError(
    'UNSUPPORTED_TRANSFER_ROUTE',
    `transferSpl route not implemented: visibility=${visibility}, fromBalance=${fromBalance}, toBalance=${toBalance}; the routes are ${ROUTES_IN_WORDS}`,
    { field: 'visibility', visibility, fromBalance, toBalance },
  );
}
