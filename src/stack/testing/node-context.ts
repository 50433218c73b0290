import type { Config } from '../../config/config.ts';
import { createClientFinder } from '../../http/client-address.ts';
import { Registry } from '../../metrics/registry.ts';
import { systemClock } from '../../ports/clock.ts';
import { silentLogger } from '../../ports/logger.ts';
import { systemRandom } from '../../ports/random.ts';
import type { NodeContext } from '../node.ts';

/** Creates the context of a node that answers every caller, uses the machine's clock and logs nothing. */
export function nodeContext(config: Config): NodeContext {
  return {
    config,
    ports: { clock: systemClock, random: systemRandom, logger: silentLogger },
    version: '0.0.0',
    guard: () => 'ok',
    findClient: createClientFinder([]),
    registry: new Registry(),
    calls: null,
  };
}
