import type { BlockPlace } from '../ledger/block.ts';
import type { Head, Ledger } from '../ledger/ledger.ts';
import type { LedgerOperator } from '../ledger/operator.ts';
import type { Fork } from '../ledger/provision/fork.ts';
import { MIN_CONTEXT_SLOT_NOT_REACHED, RpcError } from './errors.ts';
import type { JsonOutput, JsonOutputObject } from '../json/json-value.ts';
import type { ContextConfig } from './params/configs.ts';
import type { PerformanceSampler } from './transactions/performance-samples.ts';

/** Where a node listens: `host:port` each, as Rust writes socket addresses. */
export interface NodeAddresses {
  readonly rpc: string;
  /** Its WebSocket. */
  readonly pubsub: string;
}

/** The node that calls are answered for. Every method gets all it knows from here. */
export interface RpcNode {
  readonly ledger: Ledger;
  /** What getVersion and the contexts of answers say; clients read it as a semantic version. */
  readonly version: string;
  /** The u32 by which Agave nodes tell their sets of active features apart (getVersion). */
  readonly featureSet: number;
  /** Where clients reach the node; named by a rollup that knows it (getRoutes, getDelegationStatus). */
  readonly publicUrl?: string;
  /** Given where the node listens itself (getClusterNodes). */
  readonly addresses?: NodeAddresses | undefined;
  /** Given where the node counts what lands (getRecentPerformanceSamples). */
  readonly performance?: PerformanceSampler;
  /** Given where the ledger goes on from another cluster. */
  readonly fork?: Fork;
  /** Given where the node's operator may change the ledger by calls (the `surfnet_` methods). */
  readonly operator?: LedgerOperator;
}

/**
 * The block a call is answered from. One block serves every commitment.
 *
 * @throws {RpcError} -32016 when the caller wants a later one.
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
 * The block that getSlot and its like name. The present one, whose block is not over yet, is processed;
 * confirmed and finalized, which is what is meant when nothing is said, is the newest that is over:
 * `getBlock` answers it.
 *
 * @throws {RpcError} -32016 as {@link readHead}: what is asked for is a node that far, not a block that old.
 */
export function readBlockAt(node: RpcNode, config: ContextConfig | undefined): BlockPlace {
  const head = readHead(node, config);
  return config?.commitment === 'processed' ? head : node.ledger.finishedHead();
}

/** `value` with the slot it holds at (Agave `RpcResponse`). */
export function inContext(node: RpcNode, slot: number, value: JsonOutput): JsonOutputObject {
  return { context: { apiVersion: node.version, slot }, value };
}
