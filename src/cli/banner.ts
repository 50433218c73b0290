import type { App } from '../app.ts';
import { isGateway, VARIABLES, type Config } from '../config/config.ts';
import { describeExposure } from '../config/exposure.ts';

/** What of the running stack is shown. */
export type ShownApp = Omit<App, 'close' | 'ledgerUrl' | 'ledgers' | 'localnet'> & {
  readonly ledgerUrl: string;
};

/** Width of the column of names. */
const NAME_WIDTH = 15;

/** What the program says once it is ready: where everything is, and how to get a wallet going. */
export function formatBanner(config: Config, app: ShownApp): string {
  const isFront = isGateway(config);
  const lines = [
    `SPL Private Payments ${app.version}`,
    '',
    row('Tool service', `${app.serviceUrl}/mcp   (MCP over POST; REST is documented at /reference)`),
    ...(config.workers === 1 ? [] : [row('Workers', `${config.workers} processes share its port (WORKERS)`)]),
    row(
      'Ledger node',
      `${app.ledgerUrl}   (Solana JSON-RPC${isFront ? ', forwarded to LEDGER_UPSTREAM_URL' : ''})`,
    ),
    ...(isFront ? [] : [row('WebSocket', `${webSocketUrlOf(app.ledgerUrl)}   (its subscriptions)`)]),
    ...(app.rollupUrl === null
      ? []
      : [row('Rollup', `${app.rollupUrl}   (JSON-RPC and login; WebSocket on the next port)`)]),
    row('Exposure', describeExposure(config)),
    row('Cluster', describeCluster(config.cluster, isFront)),
    ...(app.dataFolder === null ? [] : ledgerLines(config, app, app.dataFolder)),
    '',
    ...app.warnings.map((warning) => `  Warning: ${warning}`),
    'Ready. Stop with Ctrl+C.',
    '',
  ];
  return lines.join('\n');
}

/** The ledger that is kept here: where, what its faucet gives, and how to ask it. */
function ledgerLines({ faucetSol }: Config, app: ShownApp, dataFolder: string): string[] {
  const { ledgerUrl, layout, mints } = app;
  return [
    row('Ledger folder', dataFolder),
    row('Faucet', `requestAirdrop, requestTokenAirdrop; ${faucetSol} SOL in a new ledger`),
    ...mints.map(({ name, address }, at) => row(at === 0 ? 'Mints' : '', `${address}  ${name}`)),
    // A ledger without the programs of payments has no mints, either.
    ...(mints.length === 0
      ? []
      : [
          row(
            'Programs',
            `${layout === 'b' ? 'those of the networks (layout B), ' : ''}MagicBlock's, under the Business Source License 1.1: for non-production use only`,
          ),
        ]),
    '',
    ...fundingLines(ledgerUrl, mints[0]),
    ...(mints.length === 0 ? [] : firstPaymentLines(app)),
  ];
}

const row = (name: string, text: string): string => `  ${name.padEnd(NAME_WIDTH)}${text}`;

/** The ledger node's subscriptions are one port above it, as on Solana's nodes. */
function webSocketUrlOf(ledgerUrl: string): string {
  const { hostname, port } = new URL(ledgerUrl);
  return `ws://${hostname}:${Number(port) + 1}`;
}

function describeCluster(cluster: Config['cluster'], isFront: boolean): string {
  if (cluster === 'localnet') return 'localnet, this ledger, where a request names none';
  if (isFront) return `${cluster} where a request names none`;
  return `${cluster} where a request names none; this ledger is "localnet"`;
}

function fundingLines(ledgerUrl: string, mint: ShownApp['mints'][number] | undefined): string[] {
  const airdrop = `    ${curl(ledgerUrl, 'requestAirdrop', '["<WALLET>", 1000000000]')}`;
  if (mint === undefined) return ['  Fund a wallet on this ledger with 1 SOL:', airdrop];
  return [
    '  Fund a wallet on this ledger with 1 SOL and 100 USDC:',
    airdrop,
    `    ${curl(ledgerUrl, 'requestTokenAirdrop', `["<WALLET>", "${mint.address}", 100000000]`)}`,
  ];
}

/** What brings a new wallet's tokens to the rollup; where the ports are others, the commands say which. */
function firstPaymentLines({ ledgerUrl, serviceUrl, rollupUrl, layout }: ShownApp): string[] {
  const isUsual = ledgerUrl === USUAL.ledger && serviceUrl === USUAL.service && rollupUrl === USUAL.rollup;
  const places = isUsual ? '' : ` --url ${ledgerUrl}${rollupUrl === null ? '' : ` --rollup ${rollupUrl}`}`;
  const service = isUsual ? '' : ` --service ${serviceUrl}`;
  const where = `${places} -k alice.json`;
  return [
    '',
    '  A first private balance, in another terminal:',
    '    npx spl-private-payments wallet new -k alice.json',
    `    npx spl-private-payments fund${where}`,
    // Nobody has set the mint up on a new ledger; on the networks somebody has.
    ...(layout === 'b' ? [`    npx spl-private-payments init-mint${service}${where}`] : []),
    `    npx spl-private-payments deposit 1.5${service}${where}`,
    `    npx spl-private-payments balance --private${where}`,
  ];
}

/** Where everything is that is told nothing else. */
const USUAL = {
  service: `http://${VARIABLES.host.default}:${VARIABLES.port.default}`,
  ledger: `http://${VARIABLES.host.default}:${VARIABLES.ledgerRpcPort.default}`,
  rollup: `http://${VARIABLES.host.default}:${VARIABLES.rollupRpcPort.default}`,
};

function curl(url: string, method: string, params: string): string {
  return `curl ${url} -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}'`;
}
