import { call, rpcText } from '../call.ts';
import { floorRow, startFloor } from '../floor.ts';
import { measureRows, type LoadRow } from '../load-rows.ts';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { portOf, startStack } from '../stack.ts';
import { formatRows } from '../table.ts';
import { startInProcess } from './in-process.ts';
import { loadPopulation, type Population } from './population.ts';

const CONNECTIONS = 32;
const ACCOUNTS_IN_PROCESS = 1_000;
const AIRDROP_LAMPORTS = 100_000_000_000;
/** More a second than are ever taken, so that none is sent twice. */
const SENDS_PER_SECOND_MAX = 12_000;
/** The longest round, that of warming up. */
const ROUND_MS_MIN = 1_500;

/** Transactions that are on the disk when they are answered. */
export const sends: Section = {
  name: 'sends',
  title: `Durable sendTransaction over ${CONNECTIONS} connections, transfers of lamports`,
  run: (settings) =>
    inScope(async ({ keep, folder }) => {
      const population = await loadPopulation();
      const ours = keep(await startStack(await folder()));
      const floor = keep(await startFloor());
      const inProcess = keep(await startInProcess(ACCOUNTS_IN_PROCESS));
      for (const { address } of population.wallets) {
        await call(ours.ledgerUrl, 'requestAirdrop', [address, AIRDROP_LAMPORTS]);
      }
      const roundMs = Math.max(settings.roundMs, ROUND_MS_MIN);
      const sign = createSigner(population, ours.ledgerUrl, (SENDS_PER_SECOND_MAX * roundMs) / 1_000);
      const rows = [false, true].map((skipPreflight): LoadRow => ({
        name: `sendTransaction, ${skipPreflight ? 'skipPreflight' : 'with its preflight'}`,
        serverName: 'ledger',
        server: ours,
        port: portOf(ours.ledgerUrl),
        path: '/',
        bodies: () => sign({ encoding: 'base64', skipPreflight }),
        accepts: (body) => body.includes('"result":"'),
        inProcess: (durationMs) => inProcess.measure('submit', durationMs),
      }));
      const measured = await measureRows([floorRow(floor), ...rows], settings, CONNECTIONS);
      return { text: formatRows(measured) };
    }),
};

/** Signs as many transfers as a round may take, none like one before, on the newest blockhash. */
function createSigner({ signTransfer }: Population, url: string, count: number) {
  let next = 0;
  return async (config: object): Promise<string[]> => {
    const { value } = await call<{ value: { blockhash: string } }>(url, 'getLatestBlockhash');
    return Array.from({ length: count }, () => {
      const { wire } = signTransfer(next++, value.blockhash);
      return rpcText('sendTransaction', [Buffer.from(wire).toString('base64'), config]);
    });
  };
}
