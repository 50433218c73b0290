import { z } from 'zod';
import type { ShownSnapshot, SnapshotList } from './answers.ts';
import { createPostRoute, createReadRoute, type ApiRoute } from './api-route.ts';

/** Takes snapshots of a localnet and restores them. */
export interface Snapshots {
  /** Number of restored snapshots. */
  readonly returned: number;
  list(): SnapshotList;
  /**
   * Takes a snapshot of both ledgers after everything is settled.
   *
   * @throws {ServiceError} the errors of the localnet's snapshots.
   */
  take(): Promise<ShownSnapshot>;
  /**
   * Restores both ledgers after the call's response is sent, because all listeners close during a restore.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS if there is no such snapshot.
   */
  startReturn(id: number): void;
}

/** Maximum body, in bytes. */
const BODY_BYTES_MAX = 64;

/**
 * Creates the routes of snapshots: `GET /console/api/snapshots` lists them, `POST .../take` takes one, and
 * `POST .../return` restores one. Only callers that may change the time can use them.
 */
export function createSnapshotRoutes(snapshots: Snapshots): readonly ApiRoute[] {
  const taking = { input: z.strictObject({}), run: () => snapshots.take() };
  const returning = {
    input: z.strictObject({ id: z.int().positive() }),
    run({ id }: { readonly id: number }) {
      snapshots.startReturn(id);
      return {};
    },
  };
  return [
    createReadRoute('/console/api/snapshots', () => snapshots.list()),
    createPostRoute('/console/api/snapshots/take', BODY_BYTES_MAX, taking),
    createPostRoute('/console/api/snapshots/return', BODY_BYTES_MAX, returning),
  ];
}
