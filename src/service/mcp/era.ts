import type { JsonObject } from '../input/json-object.ts';
import type { PreparedResult } from './prepared-result.ts';
import type { McpCaller } from './tool.ts';

/** Answers one method: the JSON text of its result, or one that was prepared. Throws ProtocolFault. */
export type Method = (params: JsonObject, caller: McpCaller) => string | PreparedResult | Promise<string>;

/** A generation of protocol revisions: what one may ask, and how the unknown is answered. */
export interface Era {
  readonly methods: ReadonlyMap<string, Method>;
  /** HTTP status of the answer to a method that does not exist. */
  readonly unknownMethodStatus: number;
}
