import type { JsonObject } from '../input/json-object.ts';
import type { McpCaller } from './tool.ts';

/** Handles one method and returns the JSON text of its result. Throws ProtocolFault. */
export type Method = (params: JsonObject, caller: McpCaller) => string | Promise<string>;

/** A generation of protocol revisions: its methods, and how unknown ones are answered. */
export interface Era {
  readonly methods: ReadonlyMap<string, Method>;
  /** HTTP status for an unknown method. */
  readonly unknownMethodStatus: number;
}
