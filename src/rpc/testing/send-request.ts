import { request, type IncomingHttpHeaders } from 'node:http';

/** An HTTP response. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends one request, by default a POST of JSON. */
export function sendRequest(
  url: string,
  parts: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array;
  },
): Promise<HttpAnswer> {
  const { method = 'POST', path = '/', headers = { 'content-type': 'application/json' }, body } = parts;
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode as number, headers: response.headers, body: text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
