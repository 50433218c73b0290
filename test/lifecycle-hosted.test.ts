import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './folders.ts';
import { childOf, launchHosted, MAIN, startStack, waitFor } from './stack-process.ts';
import { IS_LONG } from './length.ts';

const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const BALANCE = {
  method: 'tools/call',
  params: {
    name: 'spl.getBalance',
    arguments: {
      address: '3H79nfP3ZZn99BsCoVuGAenoHH5NZFSBueeCWpWtJQdX',
      mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    },
  },
};

/**
 * The user `nobody`, if the tests can become that user and it can read the program. Otherwise the current
 * user, unless that is root.
 */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const canBeNobody =
  isRoot && spawnSync(process.execPath, [MAIN, '--version'], { uid: NOBODY, gid: NOBODY }).status === 0;

const scratchFolders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => /^spl-private-payments-[0-9a-f]{8}-/.test(name));

function hosted(options: Parameters<typeof launchHosted>[0] = {}): ReturnType<typeof launchHosted> {
  const launched = launchHosted(options);
  onTestFinished(() => void launched.child.kill('SIGKILL'));
  return launched;
}

describe('mcp, as MCP hosts launch it', () => {
  it('runs three times at once next to a running service, from / as an ordinary user (bug: the second exited with 78, and none could write in /)', async ({
    skip,
  }) => {
    if (isRoot && !canBeNobody) return skip('root cannot become an ordinary user who can read the program');
    const folder = await temporaryFolder((remove) => onTestFinished(remove));
    const stack = await startStack(folder);
    onTestFinished(() => void stack.stop());
    const who = { cwd: '/', ...(isRoot && { uid: NOBODY }) };
    const ownLedger = { CLUSTER: 'localnet' };
    const three = [
      hosted({ ...who, env: ownLedger }),
      hosted({ ...who, env: ownLedger }),
      hosted({ ...who, args: ['--url', stack.serviceUrl] }),
    ];
    for (const one of three) {
      expect(await one.ask(1, INITIALIZE)).toMatchObject({ result: { serverInfo: {} } });
      expect(await one.ask(2, BALANCE)).toMatchObject({
        result: { structuredContent: { balance: '0' } },
      });
    }
    for (const one of three) one.child.stdin?.end();
    for (const { code } of await Promise.all(three.map(({ ended }) => ended))) expect(code).toBe(0);
  });

  it('opens no port, and deletes its ledger on exit', async () => {
    const before = new Set(scratchFolders());
    const one = hosted({ env: { CLUSTER: 'localnet' } });
    expect(await one.ask(1, BALANCE)).toMatchObject({ result: { structuredContent: { balance: '0' } } });
    expect(listeningSockets(childOf(one.child.pid as number) as number)).toEqual([]);
    const mine = scratchFolders().filter((name) => !before.has(name));
    expect(mine.length).toBeGreaterThan(0);
    one.child.kill('SIGTERM');
    expect((await one.ended).code).toBe(0);
    const left = new Set(scratchFolders());
    expect(mine.some((name) => !left.has(name))).toBe(true);
  });

  it('keeps its ledger after the stack crashes, and deletes it even if the supervisor is killed', async () => {
    const one = hosted({ env: { CLUSTER: 'localnet' } });
    await one.ask(1, INITIALIZE);
    const isOpened = (): boolean => one.output().stderr.includes('"msg":"ledger opened"');
    process.kill(childOf(one.child.pid as number) as number, 'SIGKILL');
    await waitFor(isOpened);
    expect(await one.ask(2, BALANCE)).toMatchObject({ result: { structuredContent: { balance: '0' } } });
    const stack = childOf(one.child.pid as number) as number;
    const folder = openFolder(stack);
    one.child.kill('SIGKILL');
    await waitFor(() => !scratchFolders().includes(folder));
  });

  it.runIf(IS_LONG)('stores the ledger in the given folder', async () => {
    const folder = await temporaryFolder((remove) => onTestFinished(remove));
    const one = hosted({ args: ['--data-dir', folder] });
    await one.ask(1, INITIALIZE);
    one.child.stdin?.end();
    expect((await one.ended).code).toBe(0);
    expect(readdirSync(folder).length).toBeGreaterThan(0);
  });

  it('opens no ledger if other clusters are configured', async () => {
    const env = {
      CLUSTER: 'devnet',
      BASE_DEVNET_RPC_URL: 'http://127.0.0.1:1',
      EPHEMERAL_DEVNET_RPC_URL: 'http://127.0.0.1:1',
    };
    const one = hosted({ env });
    expect(await one.ask(1, INITIALIZE)).toMatchObject({ result: {} });
    one.child.stdin?.end();
    const { code, stderr } = await one.ended;
    expect(code).toBe(0);
    expect(stderr).not.toContain('ledger');
  });

  it('does not send a bearer token unencrypted over a network', async () => {
    const one = hosted({ args: ['--url', 'http://192.0.2.1:8787'], env: { AUTH_TOKEN: 'canary' } });
    const { code, stderr } = await one.ended;
    expect(code).toBe(78);
    expect(stderr).toContain('AUTH_TOKEN would be sent unencrypted');
    expect(stderr).not.toContain('canary');
  });
});

describe('docs/agents.md', () => {
  const configurations = readConfigurations();

  it('has a configuration for every host it names', () => {
    expect(configurations.map(({ host }) => host)).toEqual([
      'Claude Desktop',
      'Claude Code',
      'VS Code',
      'Codex',
    ]);
  });

  it.runIf(IS_LONG)('launches the program with the configuration of each host', async () => {
    // Hosts with the same instructions are tested once.
    const launches = new Set(configurations.map(({ words, env }) => JSON.stringify({ words, env })));
    for (const launch of launches) {
      const { words, env } = JSON.parse(launch) as Omit<Configuration, 'host'>;
      const [command, ...args] = words;
      expect([command, ...args.slice(0, 3)]).toEqual(['npx', '-y', 'spl-private-payments', 'mcp']);
      const one = hosted({ args: args.slice(3), env, cwd: '/' });
      expect(await one.ask(1, INITIALIZE)).toMatchObject({ result: { serverInfo: {} } });
      one.child.stdin?.end();
      expect((await one.ended).code).toBe(0);
    }
  });
});

interface Configuration {
  readonly host: string;
  readonly words: readonly string[];
  readonly env: Record<string, string>;
}

/**
 * What hosts are told to launch in docs/agents.md: its code blocks, and who the sentence before each is
 * about.
 */
function readConfigurations(): Configuration[] {
  const text = readFileSync(new URL('../docs/agents.md', import.meta.url), 'utf8');
  return [
    ...text.matchAll(
      /^(Claude Desktop|Claude Code|Cursor|VS Code|Codex)[^`]*?[\s\S]*?```(json|sh|toml)\n([\s\S]*?)```/gm,
    ),
  ]
    .map(([, host = '', language = '', block = '']) => ({ host, ...readConfiguration(language, block) }))
    .filter(({ words }) => words.length > 0);
}

function readConfiguration(language: string, block: string): Omit<Configuration, 'host'> {
  if (language === 'json') {
    const { mcpServers, servers } = JSON.parse(block) as Record<string, Record<string, Launched>>;
    const [{ command, args = [], env = {} }] = Object.values(mcpServers ?? servers ?? {}) as [Launched];
    return { words: command === undefined ? [] : [command, ...args], env };
  }
  if (language === 'sh') {
    const [before = '', after = ''] = block.trim().split(' -- ');
    const env = [...before.matchAll(/--env (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]);
    return { words: after.split(' '), env: Object.fromEntries(env) as Record<string, string> };
  }
  const command = /^command = (".*")$/m.exec(block)?.[1] as string;
  const args = /^args = (\[.*\])$/m.exec(block)?.[1] as string;
  const env = (/^env = (\{.*\})$/m.exec(block)?.[1] ?? '').replaceAll(' = ', ': ');
  return {
    words: [JSON.parse(command) as string, ...(JSON.parse(args) as string[])],
    env: JSON.parse(env) as Record<string, string>,
  };
}

interface Launched {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

/** The folder name of the ledger that a process has open. */
function openFolder(pid: number): string {
  const files = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return '';
    }
  });
  const name = /spl-private-payments-[0-9a-f-]{36}/.exec(files.join('\n'))?.[0];
  if (name === undefined) throw new Error('the process has no ledger open');
  return name;
}

/** The TCP sockets a process listens on, by inode (proc(5): state 0A in net/tcp). */
function listeningSockets(pid: number): string[] {
  const { stdout } = spawnSync('sh', [
    '-c',
    `cat /proc/${pid}/net/tcp /proc/${pid}/net/tcp6 | awk '$4 == "0A" {print $10}'`,
  ]);
  const listening = new Set(String(stdout).split('\n'));
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? '';
      } catch {
        return '';
      }
    })
    .filter((inode) => inode !== '' && listening.has(inode));
}
