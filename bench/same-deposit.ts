import { decodeBase58 } from '../src/solana/base58.ts';

/**
 * Asks two MCP endpoints to build a deposit. @throws {Error} when the transactions differ in more than the
 * blockhash.
 */
export async function assertSameDeposit(urls: readonly [string, string], request: string): Promise<void> {
  const [ours, theirs] = [await buildDeposit(urls[0], request), await buildDeposit(urls[1], request)];
  if (!ours.equals(theirs)) {
    throw new Error(`the deposits differ:\n${ours.toString('base64')}\n${theirs.toString('base64')}`);
  }
}

/** The transaction, with zeros for its blockhash. */
async function buildDeposit(url: string, request: string): Promise<Buffer> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(url, { method: 'POST', headers, body: request });
  const { result } = (await response.json()) as {
    result: { structuredContent: { transactionBase64: string; recentBlockhash: string } };
  };
  const wire = Buffer.from(result.structuredContent.transactionBase64, 'base64');
  const blockhash = decodeBase58(result.structuredContent.recentBlockhash);
  const at = wire.indexOf(blockhash);
  return wire.fill(0, at, at + blockhash.length);
}
