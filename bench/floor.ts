import type { LoadRow } from './load-rows.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { here, readyPort } from './stack.ts';

/** Name of the row that every other one is compared with. */
export const FLOOR = 'echo of 1 KB JSON';

/** Starts the bare node:http server. */
export function startFloor(): Promise<ServerProcess> {
  return startServer([here('echo-server.mjs')], /ready \d+/);
}

/** The row of the floor. */
export function floorRow(server: ServerProcess): LoadRow {
  const body = JSON.stringify({ pad: 'x'.repeat(1_000), list: [1, 2, 3] });
  return {
    name: FLOOR,
    serverName: 'floor',
    server,
    port: readyPort(server),
    path: '/',
    bodies: () => [body],
    accepts: (answer) => answer.length > 1_000,
  };
}
