import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { TransportFault } from './upstream/transport.ts';

/** Resolves a host name to all its addresses. */
export type ResolveAll = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

const resolveBySystem: ResolveAll = (name, done) => systemLookup(name, { all: true }, done);

/**
 * A resolver for connections to a host that a caller chose. It runs once per connection and the connection
 * goes to the address it returns, so DNS cannot change between check and use. If any address of a name is not
 * public, the whole name is refused.
 */
export function createPublicLookup(resolve: ResolveAll = resolveBySystem): LookupFunction {
  return (name, options, done) => {
    resolve(name, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        done(error ?? new TransportFault('unreachable'), '');
      } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
        done(new TransportFault('forbidden-address'), '');
      } else if (options.all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    });
  };
}
