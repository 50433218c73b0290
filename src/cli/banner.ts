import type { App } from '../app.ts';
import { type Config, isGateway, VARIABLES } from '../config/config.ts';
import { describeExposure } from '../config/exposure.ts';

/** The parts of the running stack that the banner shows. */
export type ShownApp = Omit<App, 'close' | 'ledgerUrl' | 'ledgers' | 'localnet'> & {
  readonly ledgerUrl: string;
};

/** Width of the column of names. */
const NAME_WIDTH = 15;

/**
 * Formats the output of a started program: at most 12 lines, plus the facilitator, merchants and one for
 * each warning.
 *
 * @param main path of the program's main module, for the commands that the banner shows.
 */
export function formatBanner(config: Config, app: ShownApp, main: string): string {
  const hasPrograms = app.dataFolder !== null && app.mints.length > 0;
  return [
    `SPL Private Payments ${app.version}`,
    ...(config.console ? [row('Console', app.serviceUrl)] : []),
    row('Tool service', `${app.serviceUrl}/mcp   (MCP; REST is documented at /reference)`),
    ...(config.facilitatorSecretKey === null ? [] : [row('Facilitator', `${app.serviceUrl}/x402`)]),
    ...(config.checkoutSecret === null ? [] : [row('Merchants', `${app.serviceUrl}/v1/merchants`)]),
    row('Ledger node', `${app.ledgerUrl}   (${ledgerNotes(config)})`),
    ...(config.workers === 1
      ? []
      : [row('Workers', `${config.workers} processes share the ports (WORKERS)`)]),
    ...(app.rollupUrl === null ? [] : [row('Rollup', `${app.rollupUrl}   (WebSocket on the next port)`)]),
    ...(app.dataFolder === null ? [] : [row('Ledger folder', app.dataFolder)]),
    ...(config.cluster === 'localnet' ? [] : [row('Cluster', describeCluster(config, app))]),
    row('Exposure', describeExposure(config)),
    ...(hasPrograms ? [row('Programs', describePrograms(app)), ...firstPayment(app, main)] : []),
    ...app.warnings.map((warning) => `  Warning: ${warning}`),
    'Ready. Stop with Ctrl+C.',
    '',
  ].join('\n');
}

const row = (name: string, text: string): string => `  ${name.padEnd(NAME_WIDTH)}${text}`;

/** Returns the notes about the ledger node. Its WebSocket is one port above, as on Solana's nodes. */
const ledgerNotes = (config: Config): string =>
  `WebSocket on the next port${isGateway(config) ? '; both forward to LEDGER_UPSTREAM_URL' : ''}`;

const describeCluster = ({ cluster }: Config, { dataFolder }: ShownApp): string =>
  `${cluster} by default${dataFolder === null ? '' : '; this ledger is "localnet"'}`;

const describePrograms = ({ layout }: ShownApp): string =>
  `${layout === 'b' ? 'the versions of the Solana networks (layout B), ' : ''}MagicBlock's, Business Source License 1.1: for non-production use only`;

/** Returns the commands for a first private payment. They name the addresses unless all are defaults. */
function firstPayment({ ledgerUrl, serviceUrl, rollupUrl, layout }: ShownApp, main: string): string[] {
  const isUsual = ledgerUrl === USUAL.ledger && serviceUrl === USUAL.service && rollupUrl === USUAL.rollup;
  const places = isUsual ? '' : ` --url ${ledgerUrl}${rollupUrl === null ? '' : ` --rollup ${rollupUrl}`}`;
  const service = isUsual ? '' : ` --service ${serviceUrl}`;
  const commands = [
    'wallet new',
    `fund${places}`,
    // On layout B, a mint must be set up first on a new ledger.
    ...(layout === 'b' ? [`init-mint${service}${places}`] : []),
    `deposit 1.5${service}${places}`,
  ];
  // A path works in every folder, while npx would search the folder and then the registry.
  const program = `node ${/[^\w@%+:,./\\-]/.test(main) ? `"${main}"` : main}`;
  const line = commands.map((command) => `${program} ${command} -k alice.json`).join(' && ');
  return ['  To make a first private deposit, run in another terminal:', `    ${line}`];
}

const USUAL = {
  service: `http://${VARIABLES.host.default}:${VARIABLES.port.default}`,
  ledger: `http://${VARIABLES.host.default}:${VARIABLES.ledgerRpcPort.default}`,
  rollup: `http://${VARIABLES.host.default}:${VARIABLES.rollupRpcPort.default}`,
};
