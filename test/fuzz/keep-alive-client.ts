import { connect, type Socket } from 'node:net';

/** An HTTP answer. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Time after which a missing response counts as a hang, in ms. */
const HANG_MS = 30_000;

/** Posts bodies one after the other on a connection. Opens a new one if the server has closed it. */
export class KeepAliveClient {
  readonly #port: number;
  readonly #path: string;
  #socket: Socket | undefined;

  constructor(port: number, path: string) {
    this.#port = port;
    this.#path = path;
  }

  /** Posts a body. Fails without a complete response in time. */
  async post(body: Uint8Array): Promise<Answer> {
    const socket = (this.#socket ??= await this.#open());
    const head = `POST ${this.#path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    return new Promise((resolve, reject) => {
      let received = Buffer.alloc(0);
      const finish = (settle: () => void): void => {
        socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('error');
        clearTimeout(timer);
        settle();
      };
      const timer = setTimeout(() => finish(() => reject(new Error('no answer in time'))), HANG_MS);
      const lose = (): void => {
        this.#socket = undefined;
        finish(() => reject(new Error('the connection was closed without an answer')));
      };
      socket.on('close', lose);
      socket.on('error', lose);
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        const answer = readAnswer(received);
        if (answer === undefined) return;
        if (answer.closes) {
          this.#socket = undefined;
          socket.destroy();
        }
        finish(() => resolve(answer));
      });
      socket.write(Buffer.concat([Buffer.from(head), body]));
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, '127.0.0.1').setNoDelay(true);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(socket);
      });
    });
  }
}

function readAnswer(received: Buffer): (Answer & { closes: boolean }) | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (received.length < headEnd + 4 + length) return undefined;
  return {
    status: Number(head.slice(9, 12)),
    body: received.toString('utf8', headEnd + 4, headEnd + 4 + length),
    closes: /connection: close/i.test(head),
  };
}
