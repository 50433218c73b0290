import { describe, expect, it } from 'vitest';
import { TransportFault } from './transport.ts';
import {
  faultOfAnswer,
  faultOfRpcError,
  faultOfSending,
  faultOfStatus,
  faultOfTransport,
  type UpstreamFault,
} from './upstream-fault.ts';

const WHO = 'the rollup of mainnet';

const summary = ({ error, retry, restMs }: UpstreamFault): unknown[] => [error.code, retry, restMs];

describe('faults of the transport', () => {
  it("contain the system's error code, which shows operators the cause", () => {
    const { error } = faultOfTransport(WHO, new TransportFault('unreachable', 'CERT_HAS_EXPIRED'));
    expect(error.context).toEqual({ reason: 'CERT_HAS_EXPIRED' });
  });

  it.each([
    ['unreachable', ['UPSTREAM_UNAVAILABLE', 'anywhere', 10_000]],
    ['broken-off', ['UPSTREAM_UNAVAILABLE', 'anywhere', 10_000]],
    ['timed-out', ['UPSTREAM_TIMEOUT', 'elsewhere', 10_000]],
    ['too-large', ['UPSTREAM_INVALID', 'elsewhere', 0]],
    ['forbidden-address', ['CLUSTER_NOT_ALLOWED', 'never', 0]],
  ] as const)('%s', (kind, expected) => {
    expect(summary(faultOfTransport(WHO, new TransportFault(kind)))).toEqual(expected);
  });
});

describe('faults of an HTTP status', () => {
  it.each([
    [429, null, false, ['UPSTREAM_RATE_LIMITED', 'elsewhere', 10_000]],
    [429, '3', false, ['UPSTREAM_RATE_LIMITED', 'elsewhere', 3_000]],
    [429, '7200', false, ['UPSTREAM_RATE_LIMITED', 'elsewhere', 60_000]],
    [429, 'Wed, 21 Oct 2026 07:28:00 GMT', false, ['UPSTREAM_RATE_LIMITED', 'elsewhere', 10_000]],
    [500, null, false, ['UPSTREAM_UNAVAILABLE', 'anywhere', 10_000]],
    [503, '20', false, ['UPSTREAM_UNAVAILABLE', 'anywhere', 20_000]],
    [504, null, false, ['UPSTREAM_TIMEOUT', 'elsewhere', 10_000]],
    [408, null, false, ['UPSTREAM_TIMEOUT', 'elsewhere', 10_000]],
    [401, null, false, ['UPSTREAM_REJECTED', 'elsewhere', 10_000]],
    [403, null, false, ['UPSTREAM_REJECTED', 'elsewhere', 10_000]],
    [401, null, true, ['AUTH_REFUSED', 'never', 0]],
    [403, null, true, ['AUTH_REFUSED', 'never', 0]],
    [404, null, true, ['UPSTREAM_REJECTED', 'elsewhere', 10_000]],
    [302, null, false, ['UPSTREAM_INVALID', 'elsewhere', 10_000]],
    [204, null, false, ['UPSTREAM_INVALID', 'elsewhere', 10_000]],
  ] as const)('%i, Retry-After %s, token %s', (status, retryAfter, hasToken, expected) => {
    expect(summary(faultOfStatus(WHO, status, retryAfter, hasToken))).toEqual(expected);
  });

  it('pass Retry-After on to the caller', () => {
    const { error } = faultOfStatus(WHO, 429, '30', false);
    expect(error.context).toEqual({ upstreamStatus: 429, retryAfterSeconds: 30 });
    expect(error.message).toContain('try again in 30 s');
  });
});

describe('faults of a JSON-RPC error', () => {
  it.each([
    [-32_005, ['UPSTREAM_UNAVAILABLE', 'elsewhere', 10_000]],
    [-32_016, ['UPSTREAM_UNAVAILABLE', 'anywhere', 10_000]],
    [-32_603, ['UPSTREAM_UNAVAILABLE', 'anywhere', 10_000]],
    [-32_429, ['UPSTREAM_RATE_LIMITED', 'elsewhere', 10_000]],
    [-32_601, ['UPSTREAM_REJECTED', 'never', 0]],
    [-32_602, ['UPSTREAM_REJECTED', 'never', 0]],
    [-32_002, ['UPSTREAM_REJECTED', 'never', 0]],
    [1, ['UPSTREAM_REJECTED', 'never', 0]],
  ] as const)('%i to a read', (code, expected) => {
    expect(summary(faultOfRpcError(WHO, code))).toEqual(expected);
  });

  it.each([
    [-32_002, 'TRANSACTION_FAILED'],
    [-32_003, 'TRANSACTION_FAILED'],
    [-32_602, 'TRANSACTION_FAILED'],
    [-32_015, 'TRANSACTION_FAILED'],
    [-32_005, 'UPSTREAM_UNAVAILABLE'],
    [-32_601, 'UPSTREAM_REJECTED'],
  ] as const)('%i to a transaction', (code, expected) => {
    const { error, retry } = faultOfSending(WHO, code, { reason: null, logs: [] });
    expect([error.code, error.context]).toEqual([expected, { rpcCode: code }]);
    if (expected === 'TRANSACTION_FAILED') expect(retry).toBe('never');
  });

  it('contain the reason and the logs of a rejected transaction', () => {
    const { error } = faultOfSending(WHO, -32_002, { reason: '"AccountNotFound"', logs: ['a'] });
    expect(error.message).toBe('the rollup of mainnet rejected the transaction: "AccountNotFound"');
    expect(error.context).toEqual({ rpcCode: -32_002, reason: '"AccountNotFound"', logs: ['a'] });
  });
});

describe('a fault of an answer', () => {
  it('can be retried at another URL', () => {
    expect(summary(faultOfAnswer(WHO, 'nonsense'))).toEqual(['UPSTREAM_INVALID', 'elsewhere', 10_000]);
  });
});
