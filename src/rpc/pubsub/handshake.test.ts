import { describe, expect, it } from 'vitest';
import { startHttpServer } from '../../http/server.ts';
import { refusePlainHttp } from './socket-server.ts';

describe('refusePlainHttp()', () => {
  it('explains the purpose of the port', async () => {
    const server = await startHttpServer('127.0.0.1', 0, refusePlainHttp);
    const answer = await fetch(server.url, { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.get('upgrade'), await answer.text()]).toEqual([
      426,
      'websocket',
      'this port accepts only WebSocket connections\n',
    ]);
    await server.close();
  });
});
