import type { ServerResponse } from 'node:http';

const endless = new WeakSet<ServerResponse>();

/** Says of an answer that it goes on until somebody ends it, as a server that drains does. */
export function endWithServer(response: ServerResponse): void {
  endless.add(response);
}

/** Whether {@link endWithServer} was said of it. */
export function isEndless(response: ServerResponse): boolean {
  return endless.has(response);
}
