import { z } from 'zod';
import { createPostRoute, createReadRoute, type ApiRoute } from '../api-route.ts';
import type { Snapshots } from './snapshots.ts';

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
