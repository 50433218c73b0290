import { describe, expect, it, onTestFinished } from 'vitest';
import { openListener } from './server.ts';

describe('openListener', () => {
  it('holds its port and responds with 503 until it serves', async () => {
    const listener = await openListener('127.0.0.1', 0);
    onTestFinished(() => listener.close());
    const early = await fetch(listener.url);
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1']);
    await expect(openListener('127.0.0.1', listener.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    listener.serve((_, response) => response.end('served'));
    expect(await (await fetch(listener.url)).text()).toBe('served');
  });
});
