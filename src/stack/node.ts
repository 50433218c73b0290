import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.ts';
import type { CallLog } from '../console/calls/call-log.ts';
import type { ClientFinder } from '../http/client-address.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import type { Unreadiness } from '../http/probes.ts';
import type { Registry } from '../metrics/registry.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Timer } from '../ports/timer.ts';
import type { NodeAddresses } from '../rpc/rpc-method.ts';
import type { RateLimiter } from '../service/rate-limiter.ts';
import type { RpcServer } from './ledger-server.ts';

/** An open resource that must be closed. */
export interface Resource {
  close(): void | Promise<void>;
}

/** A list of open resources, which are closed in reverse order. */
export class Resources implements Resource {
  readonly #opened: Resource[] = [];
  #closed: Promise<void> | undefined;

  /**
   * Runs `open`, which adds each resource that it opens. If `open` fails, closes all of them.
   *
   * @throws the error of `open`.
   */
  static async open<T>(open: (resources: Resources) => Promise<T>): Promise<T> {
    const resources = new Resources();
    try {
      return await open(resources);
    } catch (error) {
      await resources.close();
      throw error;
    }
  }

  /** Adds a resource and returns it. */
  add<T extends Resource>(resource: T): T {
    this.#opened.push(resource);
    return resource;
  }

  /** Closes everything once, the last opened first. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    for (const resource of this.#opened.toReversed()) await resource.close();
  }
}

/** Dependencies of every node of the stack. */
export interface NodeContext {
  readonly config: Config;
  readonly ports: Ports;
  /** Version of the program. */
  readonly version: string;
  /** Checks the host and the origin of a request. */
  readonly guard: (request: IncomingMessage) => HostVerdict;
  /** Finds the client of a request. */
  readonly findClient: ClientFinder;
  /** The registry for the node's metrics. */
  readonly registry: Registry;
  /** The call log of the console; null if the console is off. */
  readonly calls: CallLog | null;
}

/** The addresses where a node listens. */
export interface NodeEndpoint {
  readonly url: string;
  readonly addresses: NodeAddresses;
}

/** The node of the base ledger, the rollup or the gateway. Close it when no request is in flight. */
export interface StackNode extends Resource {
  readonly server: RpcServer;
  /** The rate limiter of a node that counts its own calls. It also counts requests. */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Returns the reason why the node is not ready; undefined if it is ready. */
  unreadiness(): Unreadiness | Promise<Unreadiness>;
}

/** The injected dependencies of the stack. */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The timer. Default: the system timer. */
  readonly timer?: Timer;
}
