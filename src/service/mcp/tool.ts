import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../input/json-object.ts';

/** The sender of a request, as far as handling depends on it. */
export interface McpCaller {
  /** The HTTP headers; undefined on a transport without headers, such as stdio. */
  readonly headers: IncomingHttpHeaders | undefined;
  /** The caller's bearer token. */
  readonly token: string | undefined;
  /** Whose the request is, as requests are limited by; left out on a transport with one caller. */
  readonly client?: string | undefined;
  /** The id of the request in the log. */
  readonly requestId: string;
  /** Takes note of what is called (`ServedCall`); left out where nobody hears of calls. */
  nameCall?(call: string, args: object, door: 'mcp'): void;
  /** Takes note of why it is refused. */
  noteCode?(code: string): void;
  /**
   * The JSON text of a result that asks for the login that a tool needs; undefined where none is asked for.
   * Left out where the caller cannot be asked.
   */
  askLogin?(tool: string, args: JsonObject): string | undefined;
  /** Aborted once no answer reaches it any more; left out where that is not known before. */
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

/** The result of `tools/call`: what the tool returned, or why it failed. */
export type ToolResult =
  | {
      /** Sentences for people. The JSON of the structured content is appended when the result is written. */
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
  /** False for a tool that is callable only to explain why it is not available here; default true. */
  readonly isListed?: boolean;
  /**
   * Runs the tool. An exception becomes a failed result: a ServiceError with its message, any other without
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
