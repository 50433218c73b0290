import { join } from 'node:path';
import { Replica, reservePorts } from '../replicas/replica.ts';
import { startStack } from '../stack-process.ts';

/** The running services, and the ledgers that they use. */
export interface Fleet {
  readonly replicas: readonly Replica[];
  /** The URLs of the replicas. */
  readonly urls: readonly string[];
  /** The service of the localnet, the base ledger and the rollup. */
  readonly localnetUrl: string;
  readonly ledgerUrl: string;
  readonly rollupUrl: string;
  stop(): Promise<void>;
}

interface FleetOptions {
  readonly folder: string;
  /** PostgreSQL database of two replicas. Default: one process with a data folder and its own ledgers. */
  readonly stateUrl: string | undefined;
  /** The settings of all services. */
  readonly env: Readonly<Record<string, string>>;
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

/** Starts services. Their ports stay the same after restarts. */
export async function startFleet({ folder, stateUrl, env }: FleetOptions): Promise<Fleet> {
  // A ledger also uses the next port, for WebSockets.
  const [port = 0, otherPort = 0, ledgerPort = 0, , rollupPort = 0] = await reservePorts(6);
  const ledgers = { LEDGER_RPC_PORT: String(ledgerPort), ROLLUP_RPC_PORT: String(rollupPort) };
  const [ledgerUrl, rollupUrl] = [urlOf(ledgerPort), urlOf(rollupPort)];
  const localnet =
    stateUrl === undefined ? undefined : await startStack(join(folder, 'localnet'), { env: ledgers });
  const settings: Record<string, string> =
    stateUrl === undefined
      ? { ...env, ...ledgers }
      : {
          ...env,
          STATE_URL: stateUrl,
          CLUSTER: 'mainnet',
          BASE_LAYOUT: 'a',
          BASE_RPC_URL: ledgerUrl,
          EPHEMERAL_RPC_URL: rollupUrl,
          LEDGER_UPSTREAM_URL: ledgerUrl,
        };
  const replicas = (stateUrl === undefined ? [port] : [port, otherPort]).map(
    (each) => new Replica(each, join(folder, String(each)), settings),
  );
  const urls = replicas.map((replica) => urlOf(replica.port));
  const stop = async (): Promise<void> => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await localnet?.stop();
  };
  await Promise.all(replicas.map((replica) => replica.start())).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const localnetUrl = localnet?.serviceUrl ?? (urls[0] as string);
  return { replicas, urls, localnetUrl, ledgerUrl, rollupUrl, stop };
}
