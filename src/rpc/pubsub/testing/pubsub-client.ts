import { once } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';

/** A WebSocket client that queues received messages as text. */
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

  /** Resolves with the close code when the connection closes. */
  async closed(): Promise<number> {
    const [code] = await once(this.socket, 'close');
    return code as number;
  }

  /** Returns the next message: an answer or a notification. */
  next(): Promise<string> {
    const message = this.#inbox.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Parses the next message, which must be a notification. */
  async notified<T = unknown>(): Promise<{ method: string; result: T; subscription: number }> {
    const { method, params } = JSON.parse(await this.next());
    return { method, ...params };
  }

  send(text: string): void {
    this.socket.send(text);
  }

  /** Calls a method. Returns the text `"result":...` or `"error":...` of the next message. */
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

  /** Fails if there is an unread message, which would arrive before the answer to the call. */
  async expectSilence(): Promise<void> {
    const answer = await this.call('getVersion');
    if (!answer.includes('solana-core')) throw new Error(`not silent: ${answer}`);
  }
}
