import { type Address, isAddress } from '../../solana/address.ts';
import { isSignature } from '../../solana/signature.ts';
import { invalidParams } from '../errors.ts';
import { u64 } from '../params/readers.ts';
import {
  defineMethod,
  defineTupleMethod,
  type Optional,
  type Readers,
  type RpcMethod,
  type RpcNode,
} from '../rpc-method.ts';
import type { Connection } from './connection.ts';
import type { Topic } from './feeds.ts';

/** A method that acts on the connection on which it is called. */
export interface ConnectionMethod {
  readonly name: string;
  on(connection: Connection): RpcMethod;
}

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

/**
 * Parses an address.
 *
 * @param thing Agave's name of the parameter.
 * @throws {RpcError} -32602 with the text of Agave's `rpc_pubsub.rs`, unlike the other methods.
 */
export function parseAddress(text: string, thing: string): Address {
  if (!isAddress(text)) throw invalid(thing);
  return text;
}

/**
 * Checks the base58 text of a signature.
 *
 * @throws {RpcError} -32602 like {@link parseAddress}.
 */
export function parseSignature(text: string): string {
  if (!isSignature(text)) throw invalid('signature');
  return text;
}

const invalid = (thing: string) => invalidParams(`Invalid Request: Invalid ${thing} provided`);

/**
 * `...Unsubscribe([id])`: ends a subscription of this connection and returns true. Rejects an unknown id
 * (-32602). As in Agave, all unsubscribe methods accept subscriptions of any kind.
 */
export function unsubscribe(name: string): ConnectionMethod {
  return {
    name,
    on: (connection) =>
      defineTupleMethod(name, [u64], (_node, id) => {
        if (!connection.unsubscribe(Number(id))) throw invalidParams('Invalid subscription id.');
        return true;
      }),
  };
}
