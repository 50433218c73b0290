import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../test/folders.ts';
import { openFakeNode } from '../testing/fake-node.ts';
import { type } from '../testing/typed.ts';
import { findNode, findPrograms } from './machine-findings.ts';

const DOCUMENT = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');

/** The second column of the table of mistakes: what doctor prints, as code. */
const DOCUMENTED = [...DOCUMENT.matchAll(/^\| [^|]+ \| `([^`]+)` \|$/gm)].map(([, line = '']) => line);

/** Nobody listens on these. */
const QUIET = { PORT: '1', LEDGER_RPC_PORT: '3', ROLLUP_RPC_PORT: '5', DATA_DIR: '/tmp' };

type Env = Readonly<Record<string, string>>;

const printed = async (env: Env, args: readonly string[] = []): Promise<string> =>
  (await type(['doctor', ...args], { env: { ...QUIET, ...env } })).stdout;

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const statusOf = (status: number): Promise<string> =>
  serve((_, response) => void response.writeHead(status).end('no'));

const network = (hash: string, seconds = Date.now() / 1_000): Promise<string> =>
  openFakeNode({
    getSlot: () => 1,
    getGenesisHash: () => hash,
    getBlockTime: () => Math.round(seconds),
  }).then((node) => {
    onTestFinished(() => node.close());
    return node.url;
  });

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

/** A folder that its owner cannot write to; root can write to any, but not below a file. */
async function lockedFolder(): Promise<string> {
  const file = join(await temporaryFolder(onTestFinished), 'file');
  writeFileSync(file, '');
  chmodSync(file, 0o400);
  return join(file, 'ledger');
}

async function openKeyFile(): Promise<string> {
  const file = join(await temporaryFolder(onTestFinished), 'sponsor.json');
  writeFileSync(file, '[]', { mode: 0o644 });
  return file;
}

/** A mistake, and the line of the document that doctor prints for it. */
const MISTAKES: readonly (readonly [mistake: string, print: () => Promise<string>, line: string])[] = [
  ['a Node that is too old', async () => JSON.stringify(findNode('18.20.4')), 'Install Node 20.18 or newer.'],
  [
    'programs that cannot be fetched',
    async () =>
      JSON.stringify(
        await findPrograms(
          { npm_config_registry: `${await statusOf(404)}/` },
          { installed: null, cache: '/x' },
        ),
      ),
    'does not return @magicblock-labs/ephemeral-validator',
  ],
  [
    'a folder without programs',
    async () => {
      const folder = join(await temporaryFolder(onTestFinished), 'programs');
      mkdirSync(folder);
      return printed({ LOCALNET_PROGRAMS: folder });
    },
    'Correct or remove LOCALNET_PROGRAMS.',
  ],
  [
    'a misspelled setting',
    () => printed({ RATE_LIMIT_PER_SECONDS: '5' }),
    'did you mean RATE_LIMIT_PER_SECOND',
  ],
  ['a wrong value', () => printed({ RATE_LIMIT_BURST: 'many' }), 'RATE_LIMIT_BURST must be'],
  ['two equal ports', () => printed({ PORT: '8899', LEDGER_RPC_PORT: '8899' }), 'collides with'],
  [
    'a port that another program uses',
    async () => printed({ PORT: new URL(await statusOf(200)).port }),
    'another program uses',
  ],
  ['workers with an embedded ledger', () => printed({ WORKERS: '2' }), 'with an embedded ledger, which is'],
  [
    'cheats available to strangers',
    () => printed({ HOST: '0.0.0.0', LEDGER_CHEATS: 'on' }),
    'LEDGER_CHEATS is on while',
  ],
  ['a network without host names', () => printed({ HOST: '0.0.0.0' }), 'Set ALLOWED_HOSTS, or bind to'],
  [
    'a proxy that is not trusted',
    () => printed({ PUBLIC_URL: 'https://pay.example' }),
    'TRUSTED_PROXIES is not set',
  ],
  [
    'a key file that others may read',
    async () => printed({ AUTH_TOKEN_FILE: await openKeyFile() }),
    'AUTH_TOKEN_FILE',
  ],
  [
    'an invalid sponsor key',
    () => printed({ GASLESS_SPONSOR_SECRET_KEY: '[1,2]' }),
    'is not a valid Solana secret key',
  ],
  ['a cluster without URLs', () => printed({ CLUSTER: 'devnet' }), 'BASE_DEVNET_RPC_URL'],
  [
    'a network that was not checked',
    () => printed({ BASE_RPC_URL: 'https://rpc.example', EPHEMERAL_RPC_URL: 'https://er.example' }),
    'but only localnet was checked',
  ],
  [
    'an upstream without TLS',
    () => printed({ BASE_RPC_URL: 'http://rpc.example', EPHEMERAL_RPC_URL: 'https://er.example' }),
    'without TLS: use an https URL',
  ],
  [
    'a folder that cannot be written',
    async () => printed({ DATA_DIR: await lockedFolder() }),
    'Choose another one with --ledger DIR',
  ],
  ['a service that is not running', () => printed({}), 'Start one with "spl-private-payments start"'],
  [
    'a node of a different network',
    async () => printed({}, ['--url', 'mainnet', '--base', await network(DEVNET)]),
    'The node belongs to devnet, not to mainnet',
  ],
  [
    'an invalid key of the RPC provider',
    async () => printed({}, ['--url', 'mainnet', '--base', await statusOf(401)]),
    'answers with HTTP status 401: check the key in its URL',
  ],
  [
    'an RPC that limits requests',
    async () => printed({}, ['--url', 'mainnet', '--base', await statusOf(429)]),
    'answers with HTTP status 429: its rate limit is reached',
  ],
  [
    'a URL of something other than a node',
    async () =>
      printed({}, ['--url', 'mainnet', '--base', await serve((_, response) => void response.end('<html>'))]),
    'like a Solana node: check that its URL points to a ledger node',
  ],
  [
    'a wrong clock',
    async () => printed({}, ['--url', 'mainnet', '--base', await network(MAINNET, Date.now() / 1_000 - 900)]),
    'Correct the clock of this machine',
  ],
];

describe('doctor', () => {
  it.each(MISTAKES)('names %s and the documented fix', async (_, print, line) => {
    expect(await print()).toContain(line);
    expect(DOCUMENTED).toContain(line);
  });

  it('prints nothing else that the document lists', () => {
    expect(MISTAKES.map(([, , line]) => line).toSorted()).toEqual(DOCUMENTED.toSorted());
  });
});
