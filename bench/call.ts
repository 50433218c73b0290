/** The text of a JSON-RPC request. */
export function rpcText(method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) });
}

/** One JSON-RPC call. @throws {Error} for an error answer. */
export async function call<T>(url: string, method: string, params: readonly unknown[] = []): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: rpcText(method, params),
  });
  const answer = (await response.json()) as { result?: T; error?: { message: string } };
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result as T;
}

/** The text of an MCP `tools/call`. */
export function toolCall(name: string, args: object): string {
  return rpcText('tools/call', { name, arguments: args });
}
