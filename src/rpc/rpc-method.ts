import {
  type JsonObject,
  type JsonOutput,
  type JsonOutputObject,
  type JsonValue,
  quote,
} from '../json/write-json.ts';
import type { BlockPlace, Head, Ledger, LedgerOperator } from '../ledger/ledger.ts';
import type { Fork } from '../ledger/provision/fork.ts';
import type { Timer } from '../ports/timer.ts';
import type { PerformanceSampler } from './cluster/performance-samples.ts';
import { invalidParams, MIN_CONTEXT_SLOT_NOT_REACHED, RpcError } from './errors.ts';
import {
  debugItems,
  debugMembers,
  invalidType,
  ParamFault,
  type ParamReader,
} from './params/param-reader.ts';
import type { ContextConfig } from './params/readers.ts';
import { Scan, type Steps } from './scan/scan.ts';

/** The `params` of a call; undefined if missing or null. */
export type CallParams = readonly JsonValue[] | JsonObject | undefined;

/**
 * Reads the arguments of a call. Missing or null optional arguments become undefined. The checks, their order
 * and their texts match jsonrpc-derive 18.
 *
 * @throws {RpcError} -32602.
 */
export function readParams(
  params: CallParams,
  required: readonly ParamReader<unknown>[],
  optional: readonly ParamReader<unknown>[],
): unknown[] {
  const most = required.length + optional.length;
  if (most === 0) return refuseAny(params);
  if (params instanceof Map) throw invalidParams('`params` should be an array');
  const args = (params ?? []) as readonly JsonValue[];
  if (args.length < required.length) {
    throw invalidParams(`\`params\` should have at least ${required.length} argument(s)`);
  }
  if (args.length > most) {
    throw invalidParams(
      `Invalid parameters: Expected from ${required.length} to ${most} parameters.`,
      quote(`Got: ${args.length}`),
    );
  }
  try {
    return args.map((value, index) => {
      const read = required[index];
      if (read !== undefined) return read(value);
      // Null means that an optional argument is absent. Readers of required arguments handle null themselves.
      return value === null ? undefined : (optional[index - required.length] as ParamReader<unknown>)(value);
    });
  } catch (error) {
    if (error instanceof ParamFault) throw invalidParams(`Invalid params: ${error.message}.`);
    throw error;
  }
}

function refuseAny(params: CallParams): [] {
  if (params === undefined || (Array.isArray(params) && params.length === 0)) return [];
  const text =
    params instanceof Map ? `Map(${debugMembers(params)})` : `Array(${debugItems(params as JsonValue[])})`;
  throw invalidParams('Invalid parameters: No parameters were expected', text);
}

/**
 * Reads the arguments of a method without optional ones. jsonrpc-derive 18 passes them to serde as one tuple,
 * so the texts for a wrong number of arguments differ from {@link readParams}.
 *
 * @throws {RpcError} -32602.
 */
export function readParamTuple(params: CallParams, readers: readonly ParamReader<unknown>[]): unknown[] {
  try {
    // jsonrpc-derive passes missing params to serde as null.
    return readTuple(params ?? null, readers);
  } catch (error) {
    if (error instanceof ParamFault) throw invalidParams(`Invalid params: ${error.message}.`);
    throw error;
  }
}

function readTuple(value: JsonValue, readers: readonly ParamReader<unknown>[]): unknown[] {
  const expected = `a tuple of size ${readers.length}`;
  if (!Array.isArray(value)) throw invalidType(value, expected);
  const items = value as readonly JsonValue[];
  const tuple = readers.map((read, index) => {
    const item = items[index];
    if (item === undefined) throw new ParamFault(`invalid length ${index}, expected ${expected}`);
    return read(item);
  });
  if (items.length > readers.length) {
    throw new ParamFault(`invalid length ${items.length}, expected fewer elements in array`);
  }
  return tuple;
}

/** The addresses a node listens on: `host:port`, in Rust's notation for socket addresses. */
export interface NodeAddresses {
  readonly rpc: string;
  /** The address of the WebSocket. */
  readonly pubsub: string;
}

/** The node that answers calls. All methods read their data from it. */
export interface RpcNode {
  readonly ledger: Ledger;
  /** The version that getVersion and contexts report. Clients parse it as a semantic version. */
  readonly version: string;
  /** The u32 that identifies a node's feature set (getVersion). */
  readonly featureSet: number;
  /** The URL of the node for clients. A rollup reports it (getRoutes, getDelegationStatus). */
  readonly publicUrl?: string;
  /** The addresses that getClusterNodes reports; undefined if the node itself does not listen. */
  readonly addresses?: NodeAddresses | undefined;
  /** Counts transactions for getRecentPerformanceSamples; undefined if the node does not count them. */
  readonly performance?: PerformanceSampler;
  /** The fork, if the ledger is a fork of a cluster. */
  readonly fork?: Fork;
  /** The timer of calls that may wait (getBlock of the current slot); undefined if none may wait. */
  readonly timer?: Timer;
  /** The operator interface, if calls may change the ledger (the `surfnet_` methods). */
  readonly operator?: LedgerOperator;
}

/**
 * Returns the block whose state answers a call. All commitments read the same block.
 *
 * @throws {RpcError} -32016 if the caller requires a later block.
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
 * Returns the block that getSlot and similar methods refer to. At `processed`, it is the current, unfinished
 * block. At `confirmed` and `finalized` (the default), it is the newest finished block, which `getBlock`
 * returns.
 *
 * @throws {RpcError} -32016 like {@link readHead}. The block of `minContextSlot` may still be unfinished.
 */
export function readBlockAt(node: RpcNode, config: ContextConfig | undefined): BlockPlace {
  const head = readHead(node, config);
  return config?.commitment === 'processed' ? head : node.ledger.finishedHead();
}

/** Returns `value` with its slot (Agave `RpcResponse`). */
export function inContext(node: RpcNode, slot: number, value: JsonOutput): JsonOutputObject {
  return { context: { apiVersion: node.version, slot }, value };
}

/** The result of a method. Most methods answer synchronously, without a promise. */
export type MethodResult = JsonOutput | Scan | Promise<JsonOutput | Scan>;

/** An RPC method of a node. A gateway's methods need no node. */
export interface RpcMethod<Node = RpcNode> {
  readonly name: string;
  /** @throws {RpcError} the error for the caller. Any other exception is a bug. */
  call(node: Node, params: CallParams): MethodResult;
}

/** Parameter readers for a tuple of arguments. */
export type Readers<Values extends readonly unknown[]> = {
  readonly [Index in keyof Values]: ParamReader<Values[Index]>;
};

/** Optional arguments. Each may be undefined. */
export type Optional<Values extends readonly unknown[]> = {
  [Index in keyof Values]?: Values[Index] | undefined;
};

/** Defines a method. The required parameters come first, then those that may be absent or null. */
export function defineMethod<
  const Required extends readonly unknown[],
  const Optionals extends readonly unknown[],
>(
  name: string,
  params: { readonly required: Readers<Required>; readonly optional: Readers<Optionals> },
  run: (node: RpcNode, ...args: [...Required, ...Optional<Optionals>]) => MethodResult,
): RpcMethod {
  const runWith = run as (node: RpcNode, ...args: readonly unknown[]) => MethodResult;
  return {
    name,
    call: (node, callParams) => runWith(node, ...readParams(callParams, params.required, params.optional)),
  };
}

/** Defines a slow method like {@link defineMethod}. Its `run` produces the result in steps. */
export function defineScan<
  const Required extends readonly unknown[],
  const Optionals extends readonly unknown[],
>(
  name: string,
  params: { readonly required: Readers<Required>; readonly optional: Readers<Optionals> },
  run: (node: RpcNode, ...args: [...Required, ...Optional<Optionals>]) => Steps<JsonOutput>,
): RpcMethod {
  return defineMethod(name, params, (node, ...args) => new Scan(() => run(node, ...args)));
}

/** Defines a method whose parameters are all required (see {@link readParamTuple}). */
export function defineTupleMethod<const Values extends readonly unknown[]>(
  name: string,
  params: Readers<Values>,
  run: (node: RpcNode, ...args: Values) => MethodResult,
): RpcMethod {
  return {
    name,
    call: (node, callParams) => run(node, ...(readParamTuple(callParams, params) as unknown as Values)),
  };
}
