import { describe, expect, it } from 'vitest';
import { type Problem, writeProblemBody } from './problem.ts';

const PROBLEM: Problem = { status: 400, code: 'MINT_NOT_FOUND', title: 'The mint', detail: 'Name another' };

function write(problem: Partial<Problem>): Record<string, unknown> {
  const text = writeProblemBody({ ...PROBLEM, ...problem }, 'id-1', '/v1/spl/deposit');
  return JSON.parse(text) as Record<string, unknown>;
}

describe('writeProblemBody', () => {
  it('writes problem details and the error of the hosted API', () => {
    expect(write({ details: { mint: 'x' } })).toEqual({
      type: 'about:blank',
      title: 'The mint',
      status: 400,
      detail: 'Name another',
      instance: '/v1/spl/deposit#id-1',
      code: 'MINT_NOT_FOUND',
      requestId: 'id-1',
      error: { code: 'MINT_NOT_FOUND', message: 'Name another', details: { mint: 'x' } },
    });
  });

  it('writes invalid fields as pointers, and as issues for clients of the hosted API', () => {
    const field = { path: ['destinations', 1], code: 'too_small', message: 'Too short' };
    expect(write({ code: 'INVALID_ARGUMENTS', fields: [field] })).toMatchObject({
      errors: [{ pointer: '#/destinations/1', message: 'Too short' }],
      error: { code: 'VALIDATION_ERROR', message: 'Request validation failed', issues: [field] },
    });
  });

  it.each([
    ['CLUSTER_NOT_ALLOWED', 'INVALID_CLUSTER'],
    ['INVALID_ADDRESS', 'INVALID_PUBLIC_KEY'],
    ['UPSTREAM_TIMEOUT', 'RPC_ERROR'],
    ['NOT_FOUND', 'NOT_FOUND'],
  ])('reports %s to clients of the hosted API as %s', (code, hosted) => {
    expect(write({ code })).toMatchObject({ code, error: { code: hosted } });
  });

  it.each([
    [[], '#'],
    [['a/b~c'], '#/a~1b~0c'],
    [['ü "'], '#/%C3%BC%20%22'],
    [['\ud800'], '#/%EF%BF%BD'],
    [['x'.repeat(1_000)], `#/${'x'.repeat(64)}`],
  ])('points to %j by %s', (path, pointer) => {
    expect(write({ fields: [{ path, code: 'custom', message: '' }] })).toMatchObject({
      errors: [{ pointer }],
    });
  });
});
