import { z } from 'zod';
import type { ShownSnapshot, SnapshotList } from './answers.ts';
import { createPostRoute, createReadRoute, type ApiRoute } from './api-route.ts';

/** Takes snapshots of a localnet and restores them. */
export interface Snapshots {
  /** How often a snapshot was restored. */
  readonly returned: number;
  list(): SnapshotList;
  /**
   * Takes a snapshot of both ledgers, once everything is settled.
   *
   * @throws {ServiceError} see the localnet's snapshots.
   */
  take(): Promise<ShownSnapshot>;
  /**
   * Restores both ledgers after the response to the call, because all listeners close for it.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS if there is no such snapshot.
   */
  startReturn(id: number): void;
}

/** Maximum body, bytes. */
const BODY_BYTES_MAX = 64;

/**
 * The snapshots of a localnet: `GET /console/api/snapshots` lists them, `POST .../take` takes one, and `POST
 * .../return` restores one. Only for callers that may move time.
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
