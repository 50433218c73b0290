import { once } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';

/** A WebSocket client that queues the messages it receives, as text. */
export class PubSubClient {
  readonly socket: WebSocket;
  readonly #inbox: string[] = [];
  readonly #waiting: ((message: string) => void)[] = [];
  #lastId = 0;

  constructor(url: string, options: ClientOptions = {}) {
    this.socket = new WebSocket(url, options);
    this.socket.on('error', () => {});
    this.socket.on('message', (data) => {
      const message = String(data);
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#inbox.push(message);
      else waiting(message);
    });
  }

  async opened(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }

  /** Resolves with the code with which the connection was closed. */
  async closed(): Promise<number> {
    const [code] = await once(this.socket, 'close');
    return code as number;
  }

  /** The next message, answer or notification. */
  next(): Promise<string> {
    const message = this.#inbox.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The next message, which must be a notification: its method and result. */
  async notified<T = unknown>(): Promise<{ method: string; result: T; subscription: number }> {
    const { method, params } = JSON.parse(await this.next());
    return { method, ...params };
  }

  send(text: string): void {
    this.socket.send(text);
  }

  /** The text of the answer to a call, `"result":...` or `"error":...`, which must be the next message. */
  async call(method: string, ...params: readonly unknown[]): Promise<string> {
    const id = ++this.#lastId;
    this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const answer = await this.next();
    const match = /^\{"jsonrpc":"2\.0",(.*),"id":(\d+)\}$/s.exec(answer);
    if (match === null || Number(match[2]) !== id) throw new Error(`no answer to ${method}: ${answer}`);
    return match[1] as string;
  }

  /** Subscribes and returns the id. */
  async subscribe(method: string, ...params: readonly unknown[]): Promise<number> {
    const answer = await this.call(method, ...params);
    if (!answer.startsWith('"result":')) throw new Error(`${method}: ${answer}`);
    return Number(answer.slice('"result":'.length));
  }

  /** Fails if there is an unread message: an earlier message would have come before the answer. */
  async expectSilence(): Promise<void> {
    const answer = await this.call('getVersion');
    if (!answer.includes('solana-core')) throw new Error(`not silent: ${answer}`);
  }
}
