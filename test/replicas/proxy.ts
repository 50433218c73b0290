import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '../../src/state/testing/server-process.ts';
import { waitFor } from '../stack-process.ts';

const CONFIG = readFileSync(new URL('../../deploy/proxy/haproxy.cfg', import.meta.url), 'utf8');

/** Returns `deploy/proxy/haproxy.cfg` with these replicas in place of those of the container network. */
export function haproxyConfig(port: number, replicas: readonly string[]): string {
  const servers = replicas.map((address, at) => `    server replica${at} ${address}`);
  return CONFIG.replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/^ +server-template .*$/m, servers.join('\n'))
    .replace('resolvers system init-addr none', '');
}

/** haproxy in front of replicas. */
export interface Proxy {
  readonly url: string;
  /** Resolves when the proxy sends requests to all replicas. */
  whenAllServe(): Promise<void>;
  stop(): void;
}

interface Ports {
  readonly proxy: number;
  /** Port for the state of the replicas, as the proxy sees it. */
  readonly state: number;
  readonly replicas: readonly number[];
}

/** Starts haproxy. `folder` is for its settings. */
export async function startProxy(folder: string, ports: Ports): Promise<Proxy> {
  const file = join(folder, 'haproxy.cfg');
  const addresses = ports.replicas.map((port) => `127.0.0.1:${port}`);
  const state = `listen state\n    bind 127.0.0.1:${ports.state}\n    stats enable\n    stats uri /\n`;
  writeFileSync(file, `${haproxyConfig(ports.proxy, addresses)}\n${state}`);
  const child = startProgram('haproxy', ['-f', file, '-db', '-q']);
  const areAllUp = async (): Promise<boolean> => {
    const table = await (await fetch(`http://127.0.0.1:${ports.state}/;csv`)).text();
    const servers = table.split('\n').filter((line) => line.startsWith('replicas,replica'));
    return servers.length === addresses.length && servers.every((line) => line.includes(',UP,'));
  };
  const whenAllServe = async (): Promise<void> => void (await waitFor(areAllUp));
  await whenAllServe();
  return { url: `http://127.0.0.1:${ports.proxy}`, whenAllServe, stop: () => void child.kill('SIGKILL') };
}
