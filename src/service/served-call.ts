/** One call of the API, with its answer. Nothing of the answer but its size is in it. */
export interface ServedCall {
  readonly door: 'mcp' | 'rest';
  /**
   * The tool or the MCP method, by a name of this service and never one that a caller made up; `unknown` for
   * others.
   */
  readonly call: string;
  /** HTTP status. */
  readonly status: number;
  /** Why it was refused or failed; null when it was not. */
  readonly code: string | null;
  /** From the head of the request to the answer, ms. */
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Null for an answer without one, and where the caller chose it. */
  readonly requestId: string | null;
  /** Whether a bearer token came with it. The token itself is not told. */
  readonly hasToken: boolean;
  /** What the caller sent, unchecked, whoever may see it. */
  readonly arguments: object;
}

/** Hears of every answered call. It runs on every call, so it must be fast and must not throw. */
export type TellCall = (call: ServedCall) => void;
