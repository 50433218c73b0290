import type { Config } from '../config/config.ts';
import type { Listener } from '../http/listener.ts';
import { listen } from './listening.ts';
import { listenForLedger, listenForRollup, type NodeListeners } from './node-listeners.ts';
import { Resources, type Resource } from './resources.ts';

/** The ports of a stack, held apart from it, so that several can serve on them one after the other. */
export interface HeldPorts extends Resource {
  readonly service: Listener;
  readonly base: NodeListeners;
  /** Null where there is no embedded rollup. */
  readonly rollup: NodeListeners | null;
  /** Answers what is in flight, then closes them all. */
  close(): Promise<void>;
}

/**
 * Takes the ports of the settings.
 *
 * @throws {ServiceError} PORT_IN_USE; CONFIG_INVALID when one of them cannot be had for another reason.
 */
export function holdPorts(config: Config): Promise<HeldPorts> {
  return Resources.open(async (resources) => {
    const service = resources.add(await listen(config, 'PORT', config.port));
    const base = resources.add(await listenForLedger(config));
    const rollup = config.rollup === 'embedded' ? resources.add(await listenForRollup(config)) : null;
    return {
      service,
      base,
      rollup,
      close: async () => {
        await Promise.all([service.close(), base.close(), rollup?.close()]);
      },
    };
  });
}
