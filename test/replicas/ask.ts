import { type Agent, request } from 'node:http';

/** A response of a replica. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** The members of a JSON response. */
export const membersOf = ({ text }: Answer): Readonly<Record<string, unknown>> => JSON.parse(text) as never;

interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Loopback address to connect from, which is the client of a replica's limits. */
  readonly from?: string;
  /** Connections to reuse. Default: a new connection. */
  readonly agent?: Agent;
}

/** Posts JSON. Rejects with the error of the connection. */
export function ask(url: string, body: object, options: AskOptions = {}): Promise<Answer> {
  const { headers = {}, from, agent = false } = options;
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        agent,
        ...(from !== undefined && { localAddress: from }),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on('error', reject);
      },
    );
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // The server may have closed an idle connection just before, as nodejs.org describes at `reusedSocket`.
      if (asked.reusedSocket && error.code === 'ECONNRESET') resolve(ask(url, body, options));
      else reject(error);
    });
    asked.end(JSON.stringify(body));
  });
}
