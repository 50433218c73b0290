/** The ledger node's own faucet method, which no client library knows. */
export async function requestTokenAirdrop(ledgerUrl: string, params: readonly string[]): Promise<void> {
  const response = await fetch(ledgerUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestTokenAirdrop', params }),
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  if (error !== undefined) throw new Error(`requestTokenAirdrop: ${error.message}`);
}
