import { invalidParams } from '../../errors.ts';
import { u64 } from '../../params/primitives.ts';
import { defineTupleMethod } from '../../rpc-method.ts';
import type { ConnectionMethod } from '../subscription-method.ts';

/**
 * `...Unsubscribe([id])`: true. All unsubscribe methods behave the same, as in Agave: each ends whichever
 * subscription of this connection has the id, and refuses an unknown one (-32602).
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
