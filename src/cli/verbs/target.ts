import { readFileSync } from 'node:fs';
import { CLUSTER_ROWS, type ClusterRow } from '../../chain/cluster-settings.ts';
import { VARIABLES } from '../../config/config.ts';
import { requireReadableUser, type Variable } from '../../config/variable.ts';
import type { Layout } from '../../programs/ephemeral-token/layout.ts';
import { isPrivateWay } from '../private-way.ts';
import type { PortFile } from '../run-stack.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable } from './verb-failure.ts';
import type { VerbFlagName } from './verb-table.ts';

/** The service and nodes of a verb. */
export interface Target {
  /** `localnet`, or a network's name in the cluster table. */
  readonly cluster: string;
  readonly service: URL;
  readonly base: URL;
  /** The rollup node; null if none is named. */
  readonly rollup: URL | null;
  /** The named layout; null to detect it on a localnet and to use b on networks. */
  readonly layout: NamedLayout | null;
}

/** A layout, and whether it comes from a flag. */
interface NamedLayout {
  readonly name: Layout;
  readonly isTyped: boolean;
}

const LOCALNET_NAMES: ReadonlySet<string> = new Set(['localnet', 'localhost', 'l']);

/** Networks by the letters and names that Solana's CLI and this program use. */
const NETWORKS: Readonly<Record<string, string>> = {
  m: 'mainnet',
  'mainnet-beta': 'mainnet',
  d: 'devnet',
  ...Object.fromEntries(CLUSTER_ROWS.map(({ name }) => [name, name])),
};

/** The node of an offline call. Its name never resolves (RFC 2606, section 2). */
const NO_NODE = new URL('http://offline.invalid');

/**
 * Reads the target: localnet, unless a network is named.
 *
 * @param isOffline true if no node is used. A network then needs no nodes.
 * @throws {VerbFailure} `config` if the target is unknown, incomplete or contradictory.
 */
export function readTarget(call: VerbCall, isOffline: boolean = false): Target {
  const where = call.valueOf('url') ?? 'localnet';
  const network = Object.hasOwn(NETWORKS, where) ? NETWORKS[where] : undefined;
  const row = CLUSTER_ROWS.find(({ name }) => name === network);
  if (row !== undefined) return networkTarget(call, row, isOffline ? NO_NODE : null);
  refuse(call, 'base', '--base is only for networks: pass the node of a localnet with --url');
  const file = call.valueOf('port-file');
  if (file === undefined) return localTarget(call, where);
  refuse(call, 'url', '--port-file already contains the addresses of the localnet: remove --url');
  return withOverrides(call, readPortFile(file));
}

function localTarget(call: VerbCall, where: string): Target {
  const rollup = urlOf('--rollup', call.valueOf('rollup'));
  if (!LOCALNET_NAMES.has(where)) {
    if (!isHttp(where)) {
      const networks = CLUSTER_ROWS.map(({ name }) => name).join(', ');
      throw unusable(`--url needs localnet, ${networks}, or the http(s) URL of a ledger node of localnet`);
    }
    const base = readUrl('--url', where);
    return { cluster: 'localnet', service: serviceOf(call), base, rollup, layout: layoutOf(call) };
  }
  return {
    cluster: 'localnet',
    service: serviceOf(call),
    base: localUrl(call, VARIABLES.ledgerRpcPort),
    rollup: rollup ?? localUrl(call, VARIABLES.rollupRpcPort),
    layout: layoutOf(call),
  };
}

/** Reads a network target. Its nodes come from flags or from the service's variables. */
function networkTarget(
  call: VerbCall,
  { name, base, ephemeral, layout }: ClusterRow,
  unnamed: URL | null,
): Target {
  refuse(call, 'port-file', `--port-file is for a localnet, but --url names ${name}: remove one of them`);
  const ofVariable = (variable: string): URL | null =>
    urlOf(variable, call.terminal.env[variable]?.split(',')[0]?.trim() || undefined);
  const node = urlOf('--base', call.valueOf('base')) ?? ofVariable(base.variable) ?? unnamed;
  if (node === null) {
    throw unusable(`${name} needs a node that you trust: pass one with --base, or set ${base.variable}`);
  }
  return {
    cluster: name,
    service: serviceOf(call),
    base: node,
    rollup: urlOf('--rollup', call.valueOf('rollup')) ?? ofVariable(ephemeral.variable),
    layout: layoutOf(call) ?? layoutOfVariable(call, VARIABLES[layout]),
  };
}

function withOverrides(call: VerbCall, { service, base, rollup, layout }: PortFile): Target {
  return {
    cluster: 'localnet',
    service: namedService(call) ?? new URL(service),
    base: new URL(base),
    rollup: urlOf('--rollup', call.valueOf('rollup')) ?? (rollup === null ? null : new URL(rollup)),
    layout: layoutOf(call) ?? { name: layout, isTyped: false },
  };
}

function readPortFile(path: string): PortFile {
  try {
    const { service, base, rollup, layout } = JSON.parse(readFileSync(path, 'utf8')) as PortFile;
    const isRight = [service, base, rollup ?? base].every((url) => URL.canParse(url));
    if (isRight && (layout === 'a' || layout === 'b')) return { service, base, rollup, layout };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined) throw unusable(`${path} cannot be read (${code}): is the localnet running?`);
  }
  throw unusable(`${path} was not written by "start --port-file": pass the file of a running localnet`);
}

function refuse(call: VerbCall, flag: VerbFlagName, why: string): void {
  if (call.has(flag)) throw unusable(why);
}

const serviceOf = (call: VerbCall): URL => namedService(call) ?? localUrl(call, VARIABLES.port);

function namedService(call: VerbCall): URL | null {
  const url = urlOf('--service', call.valueOf('service'));
  if (url === null || url.username + url.password + url.search + url.hash === '') return url;
  throw unusable('--service needs a URL without a user, a query or a fragment');
}

/**
 * Returns the API key or access token for the service; undefined if none is set.
 *
 * @throws {VerbFailure} `config` if it would be sent unencrypted over a network.
 */
export function serviceTokenOf({ terminal }: VerbCall, { service }: Target): string | undefined {
  const { name } = VARIABLES.serviceToken;
  const token = terminal.env[name]?.trim() || undefined;
  if (token === undefined || isPrivateWay(service)) return token;
  throw unusable(
    `${name} would be sent unencrypted: pass --service an https URL, or the URL of a service on this machine`,
  );
}

function localUrl({ terminal }: VerbCall, { name, default: port, parse }: Variable<number>): URL {
  const text = terminal.env[name]?.trim() || port;
  try {
    const chosen = parse(text);
    if (chosen !== 0) return new URL(`http://${VARIABLES.host.default}:${chosen}`);
  } catch (error) {
    throw unusable(`${name} ${(error as Error).message}`);
  }
  throw unusable(`${name} is 0, so the system chose the port: pass the localnet's file with --port-file`);
}

/** Parses a URL. Errors do not contain it, because it may contain a key. */
function urlOf(name: string, text: string | undefined): URL | null {
  return text === undefined ? null : readUrl(name, text);
}

const isHttp = (text: string): boolean => URL.canParse(text) && /^https?:/i.test(text);

function readUrl(name: string, text: string): URL {
  if (!isHttp(text)) throw unusable(`${name} needs an http(s) URL`);
  const url = new URL(text);
  try {
    requireReadableUser(url);
  } catch (error) {
    throw unusable(`${name} ${(error as Error).message}`);
  }
  return url;
}

function layoutOf(call: VerbCall): NamedLayout | null {
  const name = call.valueOf('layout');
  if (name === undefined) return null;
  if (name === 'a' || name === 'b') return { name, isTyped: true };
  throw unusable('--layout needs a or b');
}

function layoutOfVariable({ terminal }: VerbCall, { name, parse }: Variable<Layout>): NamedLayout | null {
  const text = terminal.env[name]?.trim();
  if (text === undefined || text === '') return null;
  try {
    return { name: parse(text), isTyped: false };
  } catch (error) {
    throw unusable(`${name} ${(error as Error).message}`);
  }
}
