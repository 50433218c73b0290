import { describe, expect, it } from 'vitest';
import { pathOf } from './request-head.ts';

describe('pathOf', () => {
  it.each([
    ['/mcp', '/mcp'],
    ['/mcp?a=/b?c', '/mcp'],
    ['/', '/'],
    ['http://localhost:8787/mcp?x', '/mcp'],
    ['HTTPS://localhost/mcp', '/mcp'],
    ['http://localhost', ''],
    ['*', '*'],
    ['', ''],
    ['/http://localhost/mcp', '/http://localhost/mcp'],
  ])('of %j is %j', (target, path) => {
    expect(pathOf(target)).toBe(path);
  });
});
