import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../input/json-object.ts';

/** The sender of a request. */
export interface McpCaller {
  /** The HTTP headers; undefined on a transport without headers, such as stdio. */
  readonly headers: IncomingHttpHeaders | undefined;
  /** The caller's bearer token. */
  readonly token: string | undefined;
  /** Key of the client in limits; omitted on a transport with one client. */
  readonly client?: string | undefined;
  /** The id of the request in the log. */
  readonly requestId: string;
  /** Sets the call to report (`ServedCall`); omitted if calls are not reported. */
  nameCall?(call: string, args: object, door: 'mcp'): void;
  /** Sets the code of the refusal to report. */
  noteCode?(code: string): void;
  /**
   * Returns the JSON text of a result that requests the login a tool needs; undefined if a login does not
   * help. Omitted if the client does not support it.
   */
  askLogin?(tool: string, args: JsonObject): string | undefined;
  /** Aborted once the client has disconnected; omitted if that is not known. */
  readonly gone?: AbortSignal | undefined;
}

/** A tool as `tools/list` shows it (MCP 2025-11-25, tools, data types). */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

/** The result of `tools/call`: the tool's output, or why it failed. */
export type ToolResult =
  | {
      /** Sentences for people. `writeToolResult` appends the JSON of the structured content. */
      readonly content: readonly JsonObject[];
      readonly structuredContent?: object;
      readonly isError?: undefined;
    }
  | {
      readonly content: readonly JsonObject[];
      readonly structuredContent?: undefined;
      readonly isError: true;
    };

/** One tool of the endpoint. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** False for a tool that only explains why it is not available here; default true. */
  readonly isListed?: boolean;
  /**
   * Runs the tool. A ServiceError becomes a failed result with its message, any other exception one without
   * detail.
   */
  call(args: JsonObject, caller: McpCaller): Promise<ToolResult>;
}

/** A failed result with one text block per sentence. */
export function failedResult(sentences: readonly string[]): ToolResult {
  return { content: sentences.map(textBlock), isError: true };
}

/** A text content block. */
export function textBlock(text: string): JsonObject {
  return { type: 'text', text };
}
