import type { App } from '../app.ts';
import type { Config } from '../config/config.ts';

/** What the program says once it is ready: where everything is, and how to get a wallet going. */
export function formatBanner(config: Config, app: App): string {
  const [mint] = app.mints;
  const lines = [
    `SPL Private Payments ${app.version}`,
    '',
    `  Tool service   ${app.serviceUrl}/mcp   (MCP over POST)`,
    `  Ledger node    ${app.ledgerUrl}   (Solana JSON-RPC)`,
    `  Cluster        ${config.cluster}`,
    `  Data folder    ${app.dataFolder}`,
    ...app.mints.map(
      ({ name, address }, i) => `${i === 0 ? '  Mints          ' : '                 '}${address}  ${name}`,
    ),
    '',
    '  Fund a wallet with 1 SOL and 100 USDC:',
    `    ${curl(app.ledgerUrl, 'requestAirdrop', '["<WALLET>", 1000000000]')}`,
    `    ${curl(app.ledgerUrl, 'requestTokenAirdrop', `["<WALLET>", "${mint?.address}", 100000000]`)}`,
    '',
    ...app.warnings.map((warning) => `  Warning: ${warning}`),
    'Ready. Stop with Ctrl+C.',
    '',
  ];
  return lines.join('\n');
}

function curl(url: string, method: string, params: string): string {
  return `curl ${url} -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}'`;
}
