import type { Address } from '../src/solana/address.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../src/programs/addresses.ts';
import { deriveAta } from '../src/programs/associated-token.ts';
import { call, rpcText, toolCall } from './call.ts';
import { FLOOR, floorRow, startFloor } from './floor.ts';
import { runLoad } from './load.ts';
import { measureRows, type LoadRow, type MeasuredRow } from './load-rows.ts';
import { inScope } from './scope.ts';
import type { Section } from './section.ts';
import { onSecondCore, startServer, type ServerProcess } from './server-process.ts';
import { here, portOf, readyPort, startStack } from './stack.ts';
import { median } from './statistics.ts';
import { formatRows } from './table.ts';
import { unseenWallets } from './wallet.ts';

const CONNECTIONS = 32;

/** More than a server comes to in a round, so that each request is of a wallet it has never seen. */
const WALLETS = 12_000;

/** As many as one deposit reads. */
const ACCOUNTS_OF_A_DEPOSIT = 10;

const DEPOSIT = 'deposit';
const BALANCE = 'getBalance';
const TRANSFER = 'private transfer';
const DEPOSIT_ALONE = 'deposit, one connection';
const BARE = 'the upstream itself, one connection, ten accounts';

/** About what a provider of the same region takes, ms. */
const FAR_MS = 20;
const DEPOSIT_FAR = `${DEPOSIT_ALONE}, an upstream ${FAR_MS} ms away`;
const BARE_FAR = `that upstream itself, one connection, ten accounts`;

/**
 * The tool service on the accounts of a real cluster: every request reads them from an upstream, which runs on
 * the other core. No wallet is asked about twice.
 */
export const upstream: Section = {
  name: 'upstream',
  title: `Requests that read a real cluster, over ${CONNECTIONS} connections, wallets never seen`,
  run: (settings) =>
    inScope(async ({ keep, folder }) => {
      const near = keep(await startUpstream(0));
      const far = keep(await startUpstream(FAR_MS));
      const url = urlOf(near);
      const urls = {
        BASE_DEVNET_RPC_URL: url,
        EPHEMERAL_DEVNET_RPC_URL: url,
        BASE_RPC_URL: urlOf(far),
        EPHEMERAL_RPC_URL: urlOf(far),
      };
      const ours = keep(await startStack(await folder(), urls));
      const floor = keep(await startFloor());
      const of = (
        name: string,
        bodyOf: (wallet: Address, at: number, wallets: readonly Address[]) => string,
        connections?: number,
        cluster = near,
      ): LoadRow => ({
        name,
        serverName: 'service',
        server: ours,
        port: portOf(ours.serviceUrl),
        path: '/mcp',
        bodies: async () => (await fundedWallets(urlOf(cluster))).map(bodyOf),
        accepts: isServed,
        ...(connections !== undefined && { connections }),
      });
      const bare = (name: string, cluster: ServerProcess): LoadRow => ({
        name,
        serverName: 'upstream',
        server: cluster,
        port: readyPort(cluster),
        path: '/',
        bodies: async () => (await fundedWallets(urlOf(cluster))).map(readOf),
        accepts: (body) => body.includes('"base64"]'),
        connections: 1,
      });
      const deposit = of(DEPOSIT, depositOf);
      const rows: LoadRow[] = [
        floorRow(floor),
        deposit,
        of(BALANCE, balanceOf),
        of(TRANSFER, transferOf),
        of(DEPOSIT_ALONE, depositOf, 1),
        bare(BARE, near),
        of(DEPOSIT_FAR, depositFarOf, 1, far),
        bare(BARE_FAR, far),
      ];
      const measured = await measureRows(rows, settings, CONNECTIONS);
      const callsPerDeposit = await countCalls(url, deposit, settings.roundMs);
      const text = `${formatRows(measured)}\n\nCalls of the upstream for one deposit over ${CONNECTIONS} connections: 1/${(1 / callsPerDeposit).toFixed(1)}.`;
      return { text, figures: { ...figuresOf(measured), upstreamCallsPerDeposit: callsPerDeposit } };
    }),
};

const startUpstream = (awayMs: number): Promise<ServerProcess> =>
  startServer([here('upstream-server.mjs'), String(awayMs)], /ready \d+/, {}, onSecondCore);

const urlOf = (cluster: ServerProcess): string => `http://127.0.0.1:${readyPort(cluster)}/`;

const isServed = (body: string): boolean =>
  body.includes('"structuredContent"') && !body.includes('"isError":true');

/** Wallets nobody has asked about, with SOL and USDC on the upstream. */
async function fundedWallets(url: string): Promise<readonly Address[]> {
  const wallets = unseenWallets(WALLETS);
  await call(url, 'fund', wallets);
  return wallets;
}

/** How often the upstream is asked for accounts while deposits are built, for each of them. */
async function countCalls(url: string, row: LoadRow, durationMs: number): Promise<number> {
  const bodies = await row.bodies();
  const count = (): Promise<number> => call<number>(url, 'callsOf', ['getMultipleAccounts']);
  const before = await count();
  const { port, path, accepts, server } = row;
  const load = { port, path, accepts, bodies, durationMs, connections: CONNECTIONS, cpuMs: server.cpuMs };
  const { requests } = await runLoad(load);
  return ((await count()) - before) / requests;
}

function figuresOf(measured: readonly MeasuredRow[]) {
  const medianOf = (name: string, key: 'cpuMicros' | 'p50Ms'): number =>
    median(measured.find(({ row }) => row.name === name)?.rounds.map((round) => round[key]) ?? []);
  const floor = medianOf(FLOOR, 'cpuMicros');
  return {
    remoteDepositToFloor: medianOf(DEPOSIT, 'cpuMicros') / floor,
    remoteBalanceToFloor: medianOf(BALANCE, 'cpuMicros') / floor,
    remoteTransferToFloor: medianOf(TRANSFER, 'cpuMicros') / floor,
    remoteDepositP50: medianOf(DEPOSIT_ALONE, 'p50Ms') / medianOf(BARE, 'p50Ms'),
    remoteDepositP50Far: medianOf(DEPOSIT_FAR, 'p50Ms') / medianOf(BARE_FAR, 'p50Ms'),
  };
}

const ON_CLUSTER = { mint: USDC_MINT, cluster: 'devnet' } as const;
const AMOUNT = 1_000_000;

const depositOf = (owner: Address): string =>
  toolCall('spl.deposit', { owner, amount: AMOUNT, ...ON_CLUSTER });

const depositFarOf = (owner: Address): string =>
  toolCall('spl.deposit', { owner, amount: AMOUNT, ...ON_CLUSTER, cluster: 'mainnet' });

const balanceOf = (address: Address): string => toolCall('spl.getBalance', { address, ...ON_CLUSTER });

const transferOf = (from: Address, at: number, wallets: readonly Address[]): string =>
  toolCall('spl.transfer', { from, to: wallets.at(at - 1), amount: AMOUNT, ...ON_CLUSTER });

function readOf(wallet: Address): string {
  const ata = deriveAta(wallet, USDC_MINT, TOKEN_PROGRAM).address;
  const absent = unseenWallets(ACCOUNTS_OF_A_DEPOSIT - 3);
  return rpcText('getMultipleAccounts', [[wallet, ata, USDC_MINT, ...absent], { encoding: 'base64' }]);
}
