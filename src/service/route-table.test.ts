import { describe, expect, it } from 'vitest';
import { createRouteTable } from './front.ts';

const handler = (): void => {};

describe('createRouteTable', () => {
  it('lists the methods of a path, HEAD with GET', () => {
    const table = createRouteTable([
      { path: '/a', methods: { GET: handler, POST: handler } },
      { path: '/b', methods: { POST: handler } },
    ]);
    expect(table.get('/a')?.allow).toBe('GET, HEAD, POST');
    expect(table.get('/b')?.allow).toBe('POST');
    expect(table.get('/a')?.handlers.get('HEAD')).toBe(handler);
  });

  it('rejects two routes with the same path', () => {
    const route = { path: '/a', methods: { GET: handler } };
    expect(() => createRouteTable([route, route])).toThrow('two routes claim /a');
  });
});
