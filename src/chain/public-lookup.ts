import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { TransportFault } from './upstream/transport.ts';

/** Every address of a host name. */
export type ResolveAll = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

const resolveBySystem: ResolveAll = (name, done) => systemLookup(name, { all: true }, done);

/**
 * A resolver for connections whose host a caller chose. It is asked once per connection, and the connection
 * goes to what it answers, so that nothing can change between the check and the use. A name with a single
 * address that is not on the public internet is refused as a whole.
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
