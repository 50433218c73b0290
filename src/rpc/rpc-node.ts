import type { JsonOutput, JsonOutputObject } from '../json/write-json.ts';
import type { BlockPlace, Head, Ledger, LedgerOperator } from '../ledger/ledger.ts';
import type { Fork } from '../ledger/provision/fork.ts';
import type { Timer } from '../ports/timer.ts';
import type { PerformanceSampler } from './cluster/performance-samples.ts';
import { MIN_CONTEXT_SLOT_NOT_REACHED, RpcError } from './errors.ts';
import type { ContextConfig } from './params/configs.ts';

/** The addresses a node listens on: `host:port`, in Rust's notation of socket addresses. */
export interface NodeAddresses {
  readonly rpc: string;
  /** The WebSocket. */
  readonly pubsub: string;
}

/** The node that answers calls. Every method gets its data from here. */
export interface RpcNode {
  readonly ledger: Ledger;
  /** The version in getVersion and in contexts; clients parse it as a semantic version. */
  readonly version: string;
  /** The u32 by which Agave nodes compare their active features (getVersion). */
  readonly featureSet: number;
  /** The URL of the node for clients. A rollup that knows it reports it (getRoutes, getDelegationStatus). */
  readonly publicUrl?: string;
  /** Set if the node itself listens (getClusterNodes). */
  readonly addresses?: NodeAddresses | undefined;
  /** Set if the node counts transactions (getRecentPerformanceSamples). */
  readonly performance?: PerformanceSampler;
  /** Set if the ledger is a fork of a cluster. */
  readonly fork?: Fork;
  /** Set if calls may wait (getBlock of the current slot). */
  readonly timer?: Timer;
  /** Set if the operator may change the ledger by calls (the `surfnet_` methods). */
  readonly operator?: LedgerOperator;
}

/**
 * The block a call is answered from. One block serves every commitment.
 *
 * @throws {RpcError} -32016 if the caller requires a later one.
 */
export function readHead(node: RpcNode, config: Pick<ContextConfig, 'minContextSlot'> | undefined): Head {
  const head = node.ledger.head();
  if (config?.minContextSlot !== undefined && config.minContextSlot > BigInt(head.slot)) {
    throw new RpcError(MIN_CONTEXT_SLOT_NOT_REACHED, 'Minimum context slot has not been reached', {
      contextSlot: head.slot,
    });
  }
  return head;
}

/**
 * The block that getSlot and similar methods refer to. At `processed` it is the current block, which has not
 * ended; at `confirmed` and `finalized`, the default, it is the newest finished one, which `getBlock`
 * returns.
 *
 * @throws {RpcError} -32016 as {@link readHead}: minContextSlot asks for a node that far, not for a block
 *   that new.
 */
export function readBlockAt(node: RpcNode, config: ContextConfig | undefined): BlockPlace {
  const head = readHead(node, config);
  return config?.commitment === 'processed' ? head : node.ledger.finishedHead();
}

/** `value` with its slot (Agave `RpcResponse`). */
export function inContext(node: RpcNode, slot: number, value: JsonOutput): JsonOutputObject {
  return { context: { apiVersion: node.version, slot }, value };
}
