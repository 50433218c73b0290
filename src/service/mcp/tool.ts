import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../input/json-object.ts';

/** Who sent a request, as far as its handling may depend on it. */
export interface McpCaller {
  /** Of the HTTP request; undefined where messages come without headers, as over stdio. */
  readonly headers: IncomingHttpHeaders | undefined;
  /** The caller's own bearer token. */
  readonly token: string | undefined;
  /** What the request is called in the log. */
  readonly requestId: string;
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

/** What `tools/call` answers with: what a tool that ran has to say, or why it did not. */
export type ToolResult =
  | {
      /**
       * Sentences for people; the JSON of the structured content is put behind them where the result is
       * written.
       */
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
  /** False for a tool that is called only to hear why it does nothing here; listed when left out. */
  readonly isListed?: boolean;
  /**
   * Runs the tool. What it throws becomes a failed result: ServiceError with its words, anything else
   * without.
   */
  call(args: JsonObject, caller: McpCaller): Promise<ToolResult>;
}

/** A failed result: one text block for each sentence. */
export function failedResult(sentences: readonly string[]): ToolResult {
  return { content: sentences.map(textBlock), isError: true };
}

/** Text content. */
export function textBlock(text: string): JsonObject {
  return { type: 'text', text };
}
