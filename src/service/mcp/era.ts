import type { JsonObject } from '../input/json-object.ts';
import type { PreparedResult } from './prepared-result.ts';
import type { McpCaller } from './tool.ts';

/** Handles one method and returns the JSON text of its result, or a prepared result. Throws ProtocolFault. */
export type Method = (params: JsonObject, caller: McpCaller) => string | PreparedResult | Promise<string>;

/** A generation of protocol revisions: its methods, and how unknown ones are answered. */
export interface Era {
  readonly methods: ReadonlyMap<string, Method>;
  /** HTTP status for an unknown method. */
  readonly unknownMethodStatus: number;
}
