import { onTestFinished } from 'vitest';
import { type LoopbackServer, serveHttp } from '../../chain/testing/loopback-server.ts';
import { startHttpServer } from '../../http/server.ts';
import { systemClock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { systemRandom } from '../../ports/random.ts';
import { createRpcHandler } from '../../rpc/http/rpc-handler.ts';
import { sendRequest } from '../../rpc/testing/send-request.ts';
import { createAllowList } from '../forwarder.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../gateway.ts';

/** A gateway behind a real listener. */
export interface RunningGateway extends Gateway {
  readonly url: string;
  /** The gateway's log entries, as JSON. */
  readonly lines: readonly string[];
  /** Posts a body and returns the body of the answer. */
  post(body: string): Promise<string>;
}

/** Options of {@link startGateway}. */
interface RunningOptions extends Partial<Omit<GatewayOptions, 'urls'>> {
  /** Methods that are forwarded in addition to the default methods. */
  readonly methods?: readonly string[];
}

/** Starts a gateway in front of `urls`. It is closed at the end of the test. */
export async function startGateway(
  urls: readonly (URL | string)[],
  { methods = [], ...options }: RunningOptions = {},
): Promise<RunningGateway> {
  const lines: string[] = [];
  const write = (...line: unknown[]): number => lines.push(JSON.stringify(line));
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  const gateway = createGateway({
    urls: urls.map((url) => new URL(url)),
    isAllowed: createAllowList(methods),
    batchMax: 20,
    ports: { clock: systemClock, random: systemRandom, logger, ...options.ports },
    ...options,
  });
  const server = await startHttpServer('127.0.0.1', 0, createRpcHandler({ dispatch: gateway.dispatch }));
  onTestFinished(async () => {
    await server.close();
    gateway.close();
  });
  return {
    ...gateway,
    url: server.url,
    lines,
    post: async (body) => (await sendRequest(server.url, { body })).body,
  };
}

/** Starts an upstream that answers each body with the result of `answer`, and records the bodies. */
export async function startUpstream(
  answer: (body: string) => string | { readonly status: number; readonly body: string } | Promise<string>,
): Promise<LoopbackServer & { readonly bodies: readonly string[] }> {
  const bodies: string[] = [];
  const server = await serveHttp(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    bodies.push(body);
    const given = await answer(body);
    if (typeof given === 'string') response.end(given);
    else response.writeHead(given.status, { 'retry-after': '7' }).end(given.body);
  });
  onTestFinished(() => server.close());
  return { ...server, bodies };
}
