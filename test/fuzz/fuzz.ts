import vectors from '../vectors/layout-a.json' with { type: 'json' };
import { ledgerBody, serviceBody } from './bodies.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { RandomSource } from './random-source.ts';

/** The findings of a run. */
interface FuzzReport {
  readonly requests: number;
  /** Number of responses by HTTP status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Bodies with an invalid response, in base64, with the fault. */
  readonly findings: readonly { readonly target: string; readonly body: string; readonly fault: string }[];
}

const CONNECTIONS = 8;
const FINDINGS_MAX = 20;

/**
 * Sends `requests` hostile bodies alternately to the ledger node and to /mcp. A 5xx, an internal error, or a
 * missing or late response is a finding.
 */
export async function runFuzz(
  urls: { readonly serviceUrl: string; readonly ledgerUrl: string },
  requests: number,
  seed: number,
): Promise<FuzzReport> {
  const transactions = vectors.cases.map(
    ({ expect: { transaction } }) => new Uint8Array(Buffer.from(transaction, 'base64')),
  );
  const statuses: Record<number, number> = {};
  const findings: { target: string; body: string; fault: string }[] = [];
  let left = requests;

  const drive = async (lane: number): Promise<void> => {
    const random = new RandomSource(seed * 1_000 + lane);
    const target = lane % 2 === 0 ? 'ledger' : 'mcp';
    const client =
      target === 'ledger'
        ? new KeepAliveClient(Number(new URL(urls.ledgerUrl).port), '/')
        : new KeepAliveClient(Number(new URL(urls.serviceUrl).port), '/mcp');
    while (left-- > 0 && findings.length < FINDINGS_MAX) {
      const body = target === 'ledger' ? ledgerBody(transactions, random) : serviceBody(random);
      const fault = await client.post(body).then(
        (answer) => {
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          if (answer.status >= 500) return `status ${answer.status}`;
          return answer.body.includes('-32603') ? `internal error: ${answer.body}` : undefined;
        },
        (error: Error) => error.message,
      );
      if (fault !== undefined) findings.push({ target, body: Buffer.from(body).toString('base64'), fault });
    }
    client.close();
  };

  await Promise.all(Array.from({ length: CONNECTIONS }, (_, lane) => drive(lane)));
  return { requests, statuses, findings };
}
