import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clientOf } from '../../http/client-address.ts';
import { InFlight } from '../../http/in-flight.ts';
import { startHttpServer } from '../../http/server.ts';
import { silentLogger } from '../../ports/logger.ts';
import { PATIENCE } from '../../ports/testing/patience.ts';
import { type ClientDispatcher, createDispatcher } from '../dispatcher.ts';
import { simulateTransaction } from '../methods/simulate-transaction.ts';
import { EMPTY_SIMULATION, FixedLedger } from '../testing/fixed-ledger.ts';
import { addressFilledWith, legacyWire } from '../testing/transactions.ts';
import { createRpcHandler } from './rpc-handler.ts';

/** Addresses of the loopback network; Linux has all of 127.0.0.0/8. */
const NOISY = '127.0.0.1';
const QUIET = '127.0.0.2';

const CONNECTIONS = 64;
const PIPELINED = 4;
const QUIET_CALLS = 20;

const transaction = Buffer.from(legacyWire(addressFilledWith(1), [])).toString('base64');
const SIMULATION = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'simulateTransaction',
  params: [transaction, { encoding: 'base64', sigVerify: false }],
});
const POST = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${SIMULATION.length}\r\n\r\n${SIMULATION}`;

/**
 * A node whose simulations keep the processor busy for a while, and for each the pieces of others' work
 * before it.
 */
async function startNode(busyMs: number): Promise<{ readonly port: number; readonly waited: number[] }> {
  const ledger = new FixedLedger();
  ledger.onSimulate = () => {
    const endMs = performance.now() + busyMs;
    while (performance.now() < endMs);
    return EMPTY_SIMULATION;
  };
  const node = { ledger, version: '4.2.1', featureSet: 7 };
  const methods = [simulateTransaction];
  const dispatch = createDispatcher({ node, methods, batchMax: 3, logger: silentLogger });
  const waited: number[] = [];
  let noisyDone = 0;
  let heardAt = 0;
  const handler = createRpcHandler({
    dispatch: (body, client) => {
      if (client.address === QUIET) waited.push(noisyDone - heardAt);
      else noisyDone += 1;
      return dispatch(body, client);
    },
  });
  const server = await startHttpServer(NOISY, 0, (request, response) => {
    if (clientOf(request.socket.remoteAddress) === QUIET) heardAt = noisyDone;
    handler(request, response);
  });
  onTestFinished(() => server.close());
  return { port: server.port, waited };
}

async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: NOISY, localAddress }).on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function ask(socket: Socket): Promise<string> {
  socket.write(POST);
  return String((await once(socket, 'data'))[0]);
}

/** Keeps several requests under way on a connection. */
function makeNoise(socket: Socket): void {
  socket.write(POST.repeat(PIPELINED));
  socket.on('data', (answers: Buffer) => {
    const count = answers.toString('latin1').split('HTTP/1.1 ').length - 1;
    if (count > 0) socket.write(POST.repeat(count));
  });
}

describe('a client with one request at a time', () => {
  it('waits for few requests of a client that floods the node (bug: it waited for all of them)', async () => {
    const { port, waited } = await startNode(0.2);
    const noisy = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(port, NOISY)));
    for (const socket of noisy) makeNoise(socket);
    const quiet = await open(port, QUIET);
    for (let call = 0; call < QUIET_CALLS; call++) {
      expect(await ask(quiet)).toMatch(/^HTTP\/1.1 200 /);
    }
    expect(waited).toHaveLength(QUIET_CALLS);
    // One, and where its request came while others were worked on, those as well.
    expect(Math.max(...waited)).toBeLessThanOrEqual(1);
  }, 60_000);

  it('is answered while another client has the maximum number of requests in flight (bug: it got a 503)', async () => {
    const inFlight = new InFlight();
    const held: ((answer: string) => void)[] = [];
    const dispatch: ClientDispatcher = (_body, { address }) =>
      address === QUIET ? 'answered' : new Promise((resolve) => held.push(resolve));
    const server = await startHttpServer(NOISY, 0, createRpcHandler({ dispatch, inFlight }));
    onTestFinished(() => server.close());
    onTestFinished(() => held.forEach((answer) => answer('late')));
    for (let sent = 0; sent < inFlight.max; sent += PIPELINED) {
      const socket = await open(server.port, NOISY);
      socket.write(POST.repeat(PIPELINED));
    }
    await vi.waitFor(() => expect(held).toHaveLength(inFlight.max), PATIENCE);
    expect(await ask(await open(server.port, NOISY))).toMatch(/^HTTP\/1.1 503 /);
    expect(await ask(await open(server.port, QUIET))).toMatch(/^HTTP\/1.1 200 /);
  }, 60_000);
});
