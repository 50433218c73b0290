import type { RequestHandler } from '../http/server.ts';
import type { UpgradeHandler } from '../http/upgrade.ts';

/** A ledger's JSON-RPC as its own port serves it: with its limits, and with what each reader may read. */
export interface RpcDoor {
  readonly handler: RequestHandler;
  /** Its WebSocket; null where it has none. */
  readonly upgrade: UpgradeHandler | null;
}

/** The ledgers that pages of the console may ask; null for one that is not there. */
export interface RpcDoors {
  readonly base: RpcDoor | null;
  readonly rollup: RpcDoor | null;
}

/** The door at a path; null where none is, undefined where the path is not of a door. */
export function doorAt(doors: RpcDoors, path: string): RpcDoor | null | undefined {
  if (path === '/console/rpc/base') return doors.base;
  if (path === '/console/rpc/rollup') return doors.rollup;
  return path.startsWith('/console/rpc/') ? null : undefined;
}
