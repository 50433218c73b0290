import type { JsonOutput } from '../json/json-value.ts';
import { readParams, type CallParams } from './params/param-list.ts';
import type { ParamReader } from './params/param-reader.ts';
import { readParamTuple } from './params/param-tuple.ts';
import type { RpcNode } from './rpc-node.ts';
import { Scan, type Steps } from './scan/scan.ts';

/** What a method answers with. Most have the answer at once, and then no promise is made. */
export type MethodResult = JsonOutput | Scan | Promise<JsonOutput | Scan>;

/** A method that can be called by its name. */
export interface RpcMethod {
  readonly name: string;
  /** @throws {RpcError} the error to answer with; anything else that is thrown is a fault of ours. */
  call(node: RpcNode, params: CallParams): MethodResult;
}

type Readers<Values extends readonly unknown[]> = {
  readonly [Index in keyof Values]: ParamReader<Values[Index]>;
};

type Optional<Values extends readonly unknown[]> = { [Index in keyof Values]?: Values[Index] | undefined };

/**
 * A method told by its parameters: first those that must be given, then those that may be left out or null.
 */
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
    call: (node, given) => runWith(node, ...readParams(given, params.required, params.optional)),
  };
}

/** As {@link defineMethod}, a method whose result may take long: `run` makes it in steps. */
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

/** A method all of whose parameters must be given. Agave's have other texts for a wrong number of them. */
export function defineTupleMethod<const Values extends readonly unknown[]>(
  name: string,
  params: Readers<Values>,
  run: (node: RpcNode, ...args: Values) => MethodResult,
): RpcMethod {
  return {
    name,
    call: (node, given) => run(node, ...(readParamTuple(given, params) as unknown as Values)),
  };
}
