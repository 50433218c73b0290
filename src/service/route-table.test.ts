import { describe, expect, it } from 'vitest';
import { createRouteTable } from './front.ts';

const handler = (): void => {};

describe('createRouteTable', () => {
  it('lists the methods of a path, HEAD with GET', () => {
    const table = createRouteTable([
      { path: '/a', methods: { GET: handler, POST: handler } },
      { path: '/b', methods: { POST: handler } },
    ]);
    expect(table.find('/a').route?.allow).toBe('GET, HEAD, POST');
    expect(table.find('/b').route?.allow).toBe('POST');
    expect(table.find('/a').route?.handlers.get('HEAD')).toBe(handler);
  });

  it('prefers an exact path to a pattern, whose variables are never empty', () => {
    const methods = { GET: handler };
    const table = createRouteTable([
      { path: '/a/{id}/b', methods },
      { path: '/a/x/b', methods: { POST: handler } },
      { path: '/a/{one}/{two}', methods, isApi: true },
    ]);
    expect(table.find('/a/7/b')).toMatchObject({
      variables: ['7'],
      route: { allow: 'GET, HEAD', isApi: false },
    });
    expect(table.find('/a/x/b')).toMatchObject({ variables: [], route: { allow: 'POST' } });
    expect(table.find('/a/7/8')).toMatchObject({ variables: ['7', '8'], route: { isApi: true } });
    for (const path of ['/a//b', '/a/7', '/a/7/b/', '/b/7/b']) expect(table.find(path).route).toBeUndefined();
  });

  it('gives a route its variables even if the path is the pattern itself (bug: they were missing)', () => {
    const table = createRouteTable([{ path: '/a/{id}', methods: { GET: handler } }]);
    expect(table.find('/a/{id}')).toMatchObject({ variables: ['{id}'], route: { allow: 'GET, HEAD' } });
  });

  it('rejects two routes with the same path', () => {
    const route = { path: '/a', methods: { GET: handler } };
    expect(() => createRouteTable([route, route])).toThrow('two routes claim /a');
  });
});
