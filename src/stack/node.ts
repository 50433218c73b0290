import type { IncomingMessage } from 'node:http';
import type { CallLog } from '../console/calls/call-log.ts';
import type { Config } from '../config/config.ts';
import type { ClientFinder } from '../http/forwarded-client.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import type { Unreadiness } from '../http/probes.ts';
import type { Registry } from '../metrics/registry.ts';
import type { NodeAddresses } from '../rpc/rpc-node.ts';
import type { RateLimiter } from '../service/rate-limiter.ts';
import type { Ports } from './ports.ts';
import type { Resource } from './resources.ts';
import type { RpcServer } from './rpc-server.ts';

/** What every node of the stack is made with, whatever it serves. */
export interface NodeContext {
  readonly config: Config;
  readonly ports: Ports;
  /** Version of the program. */
  readonly version: string;
  /** Judges who a request is addressed to and which page sent it. */
  readonly guard: (request: IncomingMessage) => HostVerdict;
  /** Whose a request is. */
  readonly findClient: ClientFinder;
  /** Where its figures are added. */
  readonly registry: Registry;
  /** Where calls are listed; null where the console is off. */
  readonly calls: CallLog | null;
}

/** Where a node listens. */
export interface NodeEndpoint {
  readonly url: string;
  readonly addresses: NodeAddresses;
}

/**
 * A node of the stack: the base ledger's, the rollup's, or the gateway. `close` is for when no request is in
 * flight: it closes the server and what that serves.
 */
export interface StackNode extends Resource {
  readonly server: RpcServer;
  /** Given where the node counts calls of its own: its requests are then counted by this one as well. */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Why requests should go elsewhere for now. */
  unreadiness(): Unreadiness | Promise<Unreadiness>;
}
