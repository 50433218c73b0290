import type { ParamReader } from '../params/param-reader.ts';
import { defineMethod, type RpcMethod } from '../rpc-method.ts';
import type { RpcNode } from '../rpc-node.ts';
import type { Connection } from './connection.ts';
import type { Topic } from './feeds.ts';

/** A method that is called on a connection and acts on it. */
export interface ConnectionMethod {
  readonly name: string;
  on(connection: Connection): RpcMethod;
}

type Readers<Values extends readonly unknown[]> = {
  readonly [Index in keyof Values]: ParamReader<Values[Index]>;
};

type Optional<Values extends readonly unknown[]> = { [Index in keyof Values]?: Values[Index] | undefined };

/** Defines a method that subscribes to the topic in its arguments and returns the subscription id. */
export function defineSubscription<
  const Required extends readonly unknown[],
  const Optionals extends readonly unknown[],
>(
  name: string,
  params: { readonly required: Readers<Required>; readonly optional: Readers<Optionals> },
  topicOf: (node: RpcNode, ...args: [...Required, ...Optional<Optionals>]) => Topic,
): ConnectionMethod {
  return {
    name,
    on: (connection) =>
      defineMethod<Required, Optionals>(
        name,
        params,
        (node, ...args) => connection.subscribe(topicOf(node, ...args)).id,
      ),
  };
}
