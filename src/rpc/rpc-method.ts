import type { JsonOutput } from '../json/write-json.ts';
import { type CallParams, readParams, readParamTuple } from './params/param-lists.ts';
import type { ParamReader } from './params/param-reader.ts';
import type { RpcNode } from './rpc-node.ts';
import { Scan, type Steps } from './scan/scan.ts';

/** The result of a method. Most methods answer synchronously, without a promise. */
export type MethodResult = JsonOutput | Scan | Promise<JsonOutput | Scan>;

/** A method, called by its name. */
export interface RpcMethod {
  readonly name: string;
  /** @throws {RpcError} the error to answer with. Any other exception is a bug. */
  call(node: RpcNode, params: CallParams): MethodResult;
}

/** Parameter readers for a tuple of arguments. */
export type Readers<Values extends readonly unknown[]> = {
  readonly [Index in keyof Values]: ParamReader<Values[Index]>;
};

/** Optional arguments: each may be undefined. */
export type Optional<Values extends readonly unknown[]> = {
  [Index in keyof Values]?: Values[Index] | undefined;
};

/** Defines a method by its parameters: first the required ones, then those that may be absent or null. */
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

/** As {@link defineMethod}, for a method with a slow result: `run` produces it in steps. */
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

/** Defines a method whose parameters are all required. Agave's messages for a wrong number of them differ. */
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
