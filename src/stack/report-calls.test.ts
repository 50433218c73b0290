import { expect, it } from 'vitest';
import { Registry } from '../metrics/registry.ts';
import type { ServedCall } from '../service/request-context.ts';
import { measureServiceCalls } from './report-calls.ts';

it.each([
  ['rest', 200, null, 'ok'],
  ['rest', 422, 'INVALID_ARGUMENTS', 'refused'],
  ['rest', 503, 'UPSTREAM_RATE_LIMITED', 'failed'],
  ['rest', 503, 'A_CODE_OF_A_REFUSAL', 'failed'],
  ['mcp', 200, null, 'ok'],
  ['mcp', 200, 'MINT_NOT_FOUND', 'refused'],
  ['mcp', 200, '-32602', 'refused'],
  ['mcp', 200, 'UPSTREAM_RATE_LIMITED', 'failed'],
  ['mcp', 200, 'INTERNAL_ERROR', 'failed'],
] as const)(
  'a call over %s with status %i and code %s is counted as %s',
  async (door, status, code, outcome) => {
    const registry = new Registry();
    const call: Partial<ServedCall> = { door, call: 'spl.deposit', status, code, durationMs: 1 };
    measureServiceCalls(registry, ['spl.deposit'])(call as ServedCall);
    expect(await registry.write()).toContain(
      `service_calls_total{method="spl.deposit",outcome="${outcome}"} 1\n`,
    );
  },
);
