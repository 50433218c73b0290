import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';

/** An event that a receiver got. */
export interface Delivery {
  /** The `webhook-id`. */
  readonly id: string;
  readonly body: string;
  readonly isSigned: boolean;
}

/** One of this many events is rejected the first time. */
const REFUSED_SHARE = 6;

/** Delay of a late response, in ms. */
const LATE_MS = 300;

/**
 * The webhook endpoint of a merchant. It rejects some events once: with a 500, by closing the connection, or
 * by answering late. The next attempt is due after 5 s; after a second rejection it would be due after 5 min.
 */
export class Receiver {
  readonly deliveries: Delivery[] = [];
  /** Events that were rejected. */
  readonly refused = new Set<string>();
  /** The secret of the merchant, as the service writes it. */
  secret = '';
  readonly #server: Server;
  readonly #random: SeededRandom;
  readonly #onDelivery: () => void;

  /** @param onDelivery called for each event. */
  constructor(random: SeededRandom, onDelivery: () => void) {
    this.#random = random;
    this.#onDelivery = onDelivery;
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The sender may be killed.
    const chunks = await request.toArray().catch(() => undefined);
    if (chunks === undefined) return;
    const body = Buffer.concat(chunks).toString();
    const id = String(request.headers['webhook-id']);
    const key = Buffer.from(this.secret.replace('whsec_', ''), 'base64');
    const signed = `${id}.${String(request.headers['webhook-timestamp'])}.${body}`;
    const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    const isNew = this.deliveries.every((each) => each.id !== id);
    this.deliveries.push({ id, body, isSigned: request.headers['webhook-signature'] === signature });
    this.#onDelivery();
    const draw = isNew ? this.#random.integer(3 * REFUSED_SHARE) : 3;
    if (draw < 2) this.refused.add(id);
    if (draw === 0) return void response.writeHead(500).end();
    if (draw === 1) return void request.socket.destroy();
    if (draw === 2) await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    response.writeHead(204).end();
  }
}
