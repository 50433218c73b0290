import { z } from 'zod';
import { createPostRoute } from '../api-input.ts';
import type { ApiRoute } from '../api-route.ts';
import { isAddress, type Address } from '../../solana/address.ts';
import { decodeAccount } from './decode-account.ts';
import { inWords } from './in-words.ts';

/** Accounts in one request. */
const ACCOUNTS_MAX = 100;

/** Largest body, bytes: the largest program of payments is 1.2 MB as base64. */
const BODY_BYTES_MAX = 2 * 1024 * 1024;

const address = z
  .string()
  .refine(isAddress, { error: 'must be a base58 address' }) as unknown as z.ZodType<Address>;

const account = z
  .object({
    address,
    owner: address,
    data: z.string().refine((text) => Buffer.from(text, 'base64').toString('base64') === text, {
      error: 'must be base64 (RFC 4648, with padding)',
    }),
  })
  .transform(({ data, ...keys }) => ({ ...keys, data: new Uint8Array(Buffer.from(data, 'base64')) }));

/** `POST /console/api/decode`: what the bytes of accounts mean. One account is answered as a list of one. */
export const DECODE_ROUTE: ApiRoute = createPostRoute('/console/api/decode', BODY_BYTES_MAX, {
  input: z.union([
    z.array(account).max(ACCOUNTS_MAX, { error: `at most ${ACCOUNTS_MAX} accounts` }),
    account,
  ]),
  run: (given) => (Array.isArray(given) ? given : [given]).map((one) => inWords(decodeAccount(one))),
});
