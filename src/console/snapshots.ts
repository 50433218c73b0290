import { z } from 'zod';
import type { ShownSnapshot, SnapshotList } from './answers.ts';
import { createPostRoute, createReadRoute, type ApiRoute } from './api-route.ts';

/** The snapshots of a localnet that the page takes, and brings it back to. */
export interface Snapshots {
  /** How often the localnet was brought back to one. */
  readonly returned: number;
  list(): SnapshotList;
  /**
   * Keeps both ledgers as they are, once nothing is left to settle.
   *
   * @throws {ServiceError} as the localnet's own snapshots do.
   */
  take(): Promise<ShownSnapshot>;
  /**
   * Has both ledgers brought back, after the call that asks for it is answered: everything that serves closes
   * for that.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS for one that is not kept.
   */
  startReturn(id: number): void;
}

/** An id and what frames it, bytes. */
const BODY_BYTES_MAX = 64;

/**
 * The snapshots of a localnet: `GET /console/api/snapshots` lists them, `POST .../take` takes one, and `POST
 * .../return` goes back to one, for whoever may move time.
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
