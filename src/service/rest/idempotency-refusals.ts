import type { Refusal } from '../refusal.ts';

export const IDEMPOTENCY_KEY_INVALID: Refusal = {
  status: 400,
  code: 'IDEMPOTENCY_KEY_INVALID',
  title: 'Bad Request',
  detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
};

/** Draft-ietf-httpapi-idempotency-key-header, section 2.7, like the ones below. */
export const IDEMPOTENCY_KEY_IN_USE: Refusal = {
  status: 409,
  code: 'IDEMPOTENCY_KEY_IN_USE',
  title: 'Conflict',
  detail: 'A request with this Idempotency-Key is still being worked on; try again in a second',
  headers: ['retry-after', '1'],
};

export const IDEMPOTENCY_KEY_REUSED: Refusal = {
  status: 422,
  code: 'IDEMPOTENCY_KEY_REUSED',
  title: 'Unprocessable Content',
  detail: 'This Idempotency-Key was used with another body; a new request needs a new key',
};
