import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { folderOfFile, temporaryFolder } from './folders.ts';
import {
  callLedger,
  childOf,
  isRunning,
  MAIN,
  runToEnd,
  startStack,
  waitFor,
  type StackProcess,
} from './stack-process.ts';
import { inShortForm } from './length.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';

const folderOfTest = (after = onTestFinished) => temporaryFolder((remove) => after(remove));

/** Nothing cuts the end of a program off that is started with it. */
const ENDLESS_LIMITS = {
  NODE_OPTIONS: `--import=${new URL('lifecycle/endless-limits.mjs', import.meta.url).href}`,
};

/** A connection that had its answer, and stays open on this side until the server closes it. */
async function openIdleConnection(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(socket, 'data');
  // Read to its end, or its closing would not be seen.
  socket.resume();
}

describe('the program', () => {
  /** For those that look at one which runs; the last of them ends it. */
  let running: StackProcess;
  let folderOfRunning: string;
  beforeAll(async () => {
    folderOfRunning = await folderOfFile();
    running = await startStack(folderOfRunning, { env: { LOG_LEVEL: 'info' } });
  });
  afterAll(() => void running.child.kill('SIGKILL'));

  it('prints its addresses, its ledger folder, and the first commands', () => {
    const { stdout } = running.output();
    for (const words of [running.serviceUrl, running.ledgerUrl, folderOfRunning, `node ${MAIN} deposit`]) {
      expect(stdout).toContain(words);
    }
  });

  it.each([
    ['SIGINT', []],
    ['SIGTERM', ['--no-supervisor']],
  ] as const)('exits with 0 on %s %j, even with idle connections', async (signal, args) => {
    const stack = await startStack(await folderOfTest(), { args, env: ENDLESS_LIMITS });
    onTestFinished(() => void stack.child.kill('SIGKILL'));
    expect(stack.stackPid() === undefined).toBe(args.length > 0);
    for (const url of [stack.serviceUrl, stack.ledgerUrl, stack.rollupUrl]) await openIdleConnection(url);
    expect((await stack.stop(signal)).code).toBe(0);
  });

  it('exits with the shell in which npm starts it (bug: npm start left it running)', async () => {
    const root = fileURLToPath(new URL('..', import.meta.url));
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    const folder = await folderOfTest();
    const env = { ...process.env, PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0', DATA_DIR: folder };
    const shell = spawn('sh', ['-c', scripts.start], { cwd: root, env });
    onTestFinished(() => void shell.kill('SIGKILL'));
    let stdout = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    await waitFor(() => stdout.includes('Ready'));
    const ended = once(shell, 'exit');
    shell.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it.concurrent.for(inShortForm(1, [{ args: [] }, { args: ['--no-supervisor'] }]))(
    'stops all its processes when npx is gone, with $args (bug: supervisor and stack stayed)',
    async ({ args }, { onTestFinished: after }) => {
      const folder = await folderOfTest(after);
      const ports = { PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
      const env = { PATH: process.env['PATH'], ...ports, DATA_DIR: folder, npm_command: 'exec' };
      // As npx does, by a shell that waits for it and hands no signal on.
      const shell = spawn('sh', ['-c', '"$@"; exit $?', 'sh', process.execPath, MAIN, ...args], { env });
      after(() => void shell.kill('SIGKILL'));
      let stdout = '';
      shell.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      await waitFor(() => stdout.includes('Ready'));
      const started = childOf(shell.pid as number) as number;
      const stack = childOf(started);
      after(() => {
        if (isRunning(started)) process.kill(started, 'SIGKILL');
      });
      expect(stack === undefined).toBe(args.length > 0);
      shell.kill('SIGTERM');
      await waitFor(() => ![started, ...(stack === undefined ? [] : [stack])].some(isRunning));
    },
  );

  it.concurrent('keeps accounts, history and slot across a restart, and deletes them only if --reset can start (bug: --reset came before the ports)', async ({
    onTestFinished: after,
  }) => {
    const folder = await folderOfTest(after);
    const first = await startStack(folder);
    const signature = await callLedger<string>(first.ledgerUrl, 'requestAirdrop', [WALLET, 7_000_000]);
    await callLedger(first.ledgerUrl, 'requestTokenAirdrop', [WALLET, USDC, '123']);
    const slot = await callLedger<number>(first.ledgerUrl, 'getSlot');
    const transaction = await callLedger(first.ledgerUrl, 'getTransaction', [signature, 'json']);
    await first.stop();

    const env = {
      PORT: '0',
      LEDGER_RPC_PORT: new URL(running.ledgerUrl).port,
      ROLLUP_RPC_PORT: '0',
      DATA_DIR: folder,
    };
    expect((await runToEnd(['--reset'], env)).code).toBe(78);

    const second = await startStack(folder);
    const balance = await callLedger<{ value: number }>(second.ledgerUrl, 'getBalance', [WALLET]);
    expect(balance.value).toBe(7_000_000);
    expect(await callLedger(second.ledgerUrl, 'getTransaction', [signature, 'json'])).toEqual(transaction);
    expect(await callLedger<number>(second.ledgerUrl, 'getSlot')).toBeGreaterThanOrEqual(slot);
    const largest = await callLedger<{ value: { amount: string }[] }>(
      second.ledgerUrl,
      'getTokenLargestAccounts',
      [USDC],
    );
    expect(largest.value).toMatchObject([{ amount: '123' }]);
    await second.stop();

    const third = await startStack(folder, { args: ['--reset'] });
    expect((await callLedger<{ value: number }>(third.ledgerUrl, 'getBalance', [WALLET])).value).toBe(0);
    expect(await callLedger(third.ledgerUrl, 'getTransaction', [signature, 'json'])).toBeNull();
    await third.stop();
  });

  it('rejects a data folder that another process holds, and names that process', async () => {
    const { code, stderr } = await runToEnd([], {
      PORT: '0',
      LEDGER_RPC_PORT: '0',
      ROLLUP_RPC_PORT: '0',
      DATA_DIR: folderOfRunning,
    });
    expect(code).toBe(75);
    expect(stderr).toContain(folderOfRunning);
    expect(stderr).toContain(`process ${running.stackPid()}.`);
  });

  it.each(
    inShortForm(1, [
      ['/proc/none/below', 'the system does not allow a folder there. Choose another folder with DATA_DIR'],
      [
        '/dev/null/below',
        'a file exists there or in place of a parent folder. Choose another folder with DATA_DIR',
      ],
      [`/tmp/${'x'.repeat(300)}`, 'make sure that this user can write there and that the disk is not full'],
    ]),
  )(
    'exits with one sentence if the folder cannot be created: %s (bug: under /proc it never exited)',
    (folder, remedy) => {
      // One process, which nothing but a signal ends should it hang.
      const args = [MAIN, '--no-supervisor', '--ledger', folder];
      const env = { PATH: process.env['PATH'], PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
      const { status, stderr } = spawnSync(process.execPath, args, {
        cwd: tmpdir(),
        env,
        encoding: 'utf8',
        timeout: 300_000,
        killSignal: 'SIGKILL',
      });
      expect(status).toBe(78);
      const [title, sentence, ...rest] = stderr.trimEnd().split('\n');
      expect(title).toBe('The data folder cannot be used:');
      expect(sentence).toContain(`The ledger in ${folder} cannot be used: `);
      expect(sentence?.endsWith(remedy), sentence).toBe(true);
      expect(rest).toEqual([]);
    },
    310_000,
  );

  it('exits with one sentence if the engine is missing (bug: a stack trace advised deleting node_modules)', async () => {
    const withoutEngine = fileURLToPath(new URL('lifecycle/without-engine.cjs', import.meta.url));
    const env = { PORT: '0', LEDGER_RPC_PORT: '0', NODE_OPTIONS: `--require "${withoutEngine}"` };
    const { code, stdout, stderr } = await runToEnd([], { ...env, DATA_DIR: await folderOfTest() });
    expect([code, stdout]).toEqual([78, '']);
    const [title, sentence, ...rest] = stderr.trimEnd().split('\n');
    expect(title).toBe('The virtual machine of the ledger is not available:');
    expect(sentence).toContain(`litesvm-${process.platform}-${process.arch}`);
    expect(sentence).toContain('without --omit=optional');
    expect(rest).toEqual([]);
  });

  it('names the variable to change when a port is taken', async () => {
    const blocker = createServer();
    const port = await new Promise<number>((resolve) => {
      blocker.listen(0, '127.0.0.1', () => resolve((blocker.address() as { port: number }).port));
    });
    onTestFinished(() => void blocker.close());
    const env = {
      PORT: String(port),
      LEDGER_RPC_PORT: '0',
      ROLLUP_RPC_PORT: '0',
      DATA_DIR: await folderOfTest(),
    };
    const { code, stderr } = await runToEnd([], env);
    expect(code).toBe(78);
    expect(stderr).toContain('PORT');
    expect(stderr).toContain('in use');
  });

  it.each(
    inShortForm(3, [
      [{ PORT: 'http' }, [], 'PORT must be a whole number'],
      [{ CLUSTER: 'mainet' }, [], 'CLUSTER must be one of'],
      [{}, ['--rset'], "Unknown option '--rset'. Did you mean --reset?"],
      [{}, ['--rpc-port', '70000'], '--rpc-port must be a whole number from 0 to 65534'],
      [
        { LEDGER_UPSTREAM_URL: 'http://127.0.0.1:1' },
        ['--warp-slot', '9'],
        '--warp-slot cannot be used with',
      ],
      [{ EXPOSURE: 'machine' }, ['--bind-address', '0.0.0.0'], 'bind to 127.0.0.1 or unset EXPOSURE'],
      [
        { PUBLIC_URL: 'https://pay.example.com', LEDGER_CHEATS: 'on' },
        [],
        'LEDGER_CHEATS is on while PUBLIC_URL admits clients from other machines: unset PUBLIC_URL or turn it off',
      ],
      [{ PORT: 'http' }, ['--no-supervisor'], 'PORT must be a whole number'],
      [{ PORT: 'http' }, ['--print-config'], 'PORT must be a whole number'],
    ] as [Record<string, string>, string[], string][]),
  )('exits with 78 on %j %j', async (env, args, words) => {
    const { code, stdout, stderr } = await runToEnd(args, env);
    expect(code).toBe(78);
    expect(stderr).toContain(words);
    expect(stdout).toBe('');
  });

  it.each(
    inShortForm(2, [
      ['--help', 'Usage: spl-private-payments'],
      ['--version', '0.1.0'],
      ['--print-config', 'PORT=8787'],
      ['--print-config', '# Exposure: this machine: cheats on, metrics on, console on'],
    ]),
  )('%s prints and exits', async (flag, words) => {
    const { code, stdout } = await runToEnd([flag], {});
    expect(code).toBe(0);
    expect(stdout).toContain(words);
  });

  it('has written no content of a request to its log when it exits', async () => {
    const signature = await callLedger<string>(running.ledgerUrl, 'requestAirdrop', [WALLET, 987_654_321]);
    await fetch(`${running.serviceUrl}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer canary-token' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'canary-id',
        method: 'tools/call',
        params: { name: 'spl.deposit', arguments: { owner: WALLET, amount: 424_242 } },
      }),
    });
    const { code, stderr, stdout } = await running.stop();
    expect(code).toBe(0);
    for (const secret of [WALLET, signature, '987654321', '424242', 'canary']) {
      expect(stdout + stderr).not.toContain(secret);
    }
  });
});
