import { z } from 'zod';
import { createPostRoute } from '../api-input.ts';
import type { ApiRoute } from '../api-route.ts';
import { cutTransaction } from './cut-transaction.ts';

/** Longest text, characters: several times a transaction, which has 1,232 bytes at most. */
const TEXT_MAX = 16_384;

const BODY_BYTES_MAX = 32 * 1024;

/** `POST /console/api/segments`: what each byte of a transaction is. */
export const SEGMENTS_ROUTE: ApiRoute = createPostRoute('/console/api/segments', BODY_BYTES_MAX, {
  input: z.object({
    transaction: z
      .string()
      .max(TEXT_MAX, { error: `must not be longer than ${TEXT_MAX} characters` })
      .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, {
        error: 'must be base64 (RFC 4648, with padding)',
      }),
  }),
  run: ({ transaction }) => ({
    segments: cutTransaction(new Uint8Array(Buffer.from(transaction, 'base64'))),
  }),
});
