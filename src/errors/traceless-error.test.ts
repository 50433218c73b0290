import { describe, expect, it } from 'vitest';
import { ServiceError, TracelessError } from './service-error.ts';

describe('TracelessError', () => {
  it('has no frames, and does not change other errors', () => {
    const before = Error.stackTraceLimit;
    expect(new TracelessError('no').stack).toBe('Error: no');
    expect(Error.stackTraceLimit).toBe(before);
    expect(new Error('yes').stack).toContain('traceless-error.test.ts');
  });

  it('is the class of every error response; its cause keeps its frames', () => {
    const cause = new Error('a bug');
    const error = new ServiceError('MINT_NOT_FOUND', 'no such mint', {}, { cause });
    expect(error).toBeInstanceOf(TracelessError);
    expect(error.stack).not.toContain('\n');
    expect((error.cause as Error).stack).toContain('traceless-error.test.ts');
  });
});
