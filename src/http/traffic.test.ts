import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { PATIENCE } from '../ports/testing/patience.ts';
import { startHttpServer } from './server.ts';

it('does not count pipelined requests of a disconnected client (bug: it did forever if the answer had no turn)', async () => {
  const responses: ServerResponse[] = [];
  const server = await startHttpServer('127.0.0.1', 0, (_, response) => responses.push(response));
  onTestFinished(() => server.close());
  const { port } = new URL(server.url);
  const client = connect(Number(port), '127.0.0.1');
  await once(client, 'connect');
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(3));
  await vi.waitFor(() => expect(responses).toHaveLength(3), PATIENCE);
  // The last has its answer, which waits for the turn of those before it.
  responses[2]?.end('late');
  expect(server.counts.inFlight).toBe(3);
  client.destroy();
  await vi.waitFor(() => expect(server.counts.inFlight).toBe(0), PATIENCE);
  expect(server.counts.answers[0]).toBe(3);
});
