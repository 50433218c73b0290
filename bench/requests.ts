import type { Address } from '../src/solana/address.ts';
import { call } from './call.ts';
import { cases, depositRequest, EXPLAIN, prepareWorkload } from './cases.ts';
import type { Figures } from './figures.ts';
import { FLOOR, floorRow, startFloor } from './floor.ts';
import { installPeers } from './install-peers.ts';
import { startInProcess } from './ledger/in-process.ts';
import { measureRows, type LoadRow, type MeasuredRow } from './load-rows.ts';
import { createPayer } from './rollup/payer.ts';
import { assertSameDeposit } from './same-deposit.ts';
import { inScope } from './scope.ts';
import type { Section } from './section.ts';
import { startServer } from './server-process.ts';
import { addressIn, here, portOf, readyPort, startStack } from './stack.ts';
import { median } from './statistics.ts';
import { formatRows } from './table.ts';

const CONNECTIONS = 32;
const ACCOUNTS_IN_PROCESS = 1_000;
/** USDC, base units. */
const FIRST_DEPOSIT = 1_000_000;

const DEPOSIT = 'tools/call spl.deposit';

/** The service and the ledger node under load, with the floor and the peer between. */
export const requests: Section = {
  name: 'requests',
  title: `Requests over ${CONNECTIONS} connections`,
  run: (settings) =>
    inScope(async ({ keep, folder }) => {
      installPeers();
      const upstream = keep(await startServer([here('upstream-server.mjs')], /ready \d+/));
      const upstreamUrl = `http://127.0.0.1:${readyPort(upstream)}/`;
      const ours = keep(
        await startStack(await folder(), {
          BASE_DEVNET_RPC_URL: upstreamUrl,
          EPHEMERAL_DEVNET_RPC_URL: upstreamUrl,
        }),
      );
      const floor = keep(await startFloor());
      const validator = await call<{ identity: string }>(addressIn(ours.output, 'Rollup'), 'getIdentity');
      const peerArgs = [here('peer-server.mjs'), ours.ledgerUrl, validator.identity];
      const peer = keep(await startServer(peerArgs, /ready \d+/));
      const inProcess = keep(await startInProcess(ACCOUNTS_IN_PROCESS));
      const servers = {
        service: { server: ours, port: portOf(ours.serviceUrl) },
        ledger: { server: ours, port: portOf(ours.ledgerUrl) },
        peer: { server: peer, port: readyPort(peer) },
      };
      // The first deposit of a mint makes its vault; those that are measured find it.
      await createPayer(ours, FIRST_DEPOSIT);
      const workload = await prepareWorkload(ours.ledgerUrl);
      await call(upstreamUrl, 'fund', workload.owners);
      const rows = cases(workload).map(({ server, bodies, renew, inProcess: alone, ...rest }): LoadRow => ({
        ...rest,
        ...servers[server],
        serverName: server,
        bodies: () => renew?.() ?? bodies,
        inProcess: alone && ((durationMs) => inProcess.measure(alone, durationMs)),
      }));
      const peerUrl = `http://127.0.0.1:${readyPort(peer)}/mcp`;
      await assertSameDeposit(
        [`${ours.serviceUrl}/mcp`, peerUrl],
        depositRequest(workload.owners[0] as Address),
      );
      const measured = await measureRows([floorRow(floor), ...rows], settings, CONNECTIONS);
      const memory = Object.entries({ ours, floor, peer }).map(
        ([name, server]) => `${name} ${server.residentMiB().toFixed(0)} MiB`,
      );
      const text = `${formatRows(measured)}\n\nResident memory after it: ${memory.join(', ')}.`;
      return { text, figures: figuresOf(measured) };
    }),
};

/** What the floor does on the machine that the mark of simulations was set for. */
const FLOOR_PER_SECOND = 50_000;

function figuresOf(measured: readonly MeasuredRow[]): Partial<Figures> {
  const medianOf = (name: string, key: 'cpuMicros' | 'p99Ms'): number =>
    median(measured.find(({ row }) => row.name === name)?.rounds.map((round) => round[key]) ?? []);
  const cpuOf = (name: string): number => medianOf(name, 'cpuMicros');
  const floor = cpuOf(FLOOR);
  const [deposit, peerDeposit] = [DEPOSIT, `peer ${DEPOSIT}`] as const;
  const simulation = cpuOf('simulateTransaction, token transfer');
  return {
    depositToPeer: cpuOf(peerDeposit) / cpuOf(deposit),
    depositToFloor: cpuOf(deposit) / floor,
    depositP99ToPeer: medianOf(peerDeposit, 'p99Ms') / medianOf(deposit, 'p99Ms'),
    explainToFloor: cpuOf(EXPLAIN) / floor,
    toolsListToFloor: cpuOf('tools/list') / floor,
    initializeToFloor: cpuOf('initialize') / floor,
    slotToFloor: cpuOf('getSlot') / floor,
    floorPerSecond: 1_000_000 / floor,
    simulationsPerSecond: 1_000_000 / simulation,
    simulationsPerSecondScaled: (FLOOR_PER_SECOND * floor) / simulation,
  };
}
