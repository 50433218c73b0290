import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
import { temporaryFolder } from './folders.ts';
import { callLedger, isRunning, runToEnd, startStack, waitFor, type StackProcess } from './stack-process.ts';
import { inShortForm, IS_LONG } from './length.ts';

const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';

/** Registers a cleanup function for the end of a test. */
type After = TestContext['onTestFinished'];

const folderOfTest = (onTestFinished: After) => temporaryFolder((remove) => onTestFinished(remove));

async function airdropAcknowledged({ ledgerUrl }: StackProcess, lamports: number): Promise<void> {
  await callLedger(ledgerUrl, 'requestAirdrop', [WALLET, lamports]);
}

async function balanceOf(url: string): Promise<number> {
  return (await callLedger<{ value: number }>(url, 'getBalance', [WALLET])).value;
}

/** Its two processes as the list of processes shows them. */
function shownOf({ child, stackPid }: StackProcess): string {
  const args = ['-o', 'pid=,args=', '-p', `${child.pid},${stackPid()}`];
  return spawnSync('ps', args, { encoding: 'utf8' }).stdout;
}

/** Listens on a port; resolves with what lets it go. */
async function takePort(port: number): Promise<() => void> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => void server.close();
}

/** A request that is under way for as long as the test likes. */
async function openHalfRequest(url: string, onTestFinished: After): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  const head =
    'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{';
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  // Answered in order, so the half request has been read when another one is answered.
  await callLedger(url, 'getSlot');
  return socket;
}

// At once: most of their time they wait for deaths and delays of processes.
describe.concurrent('the supervisor', () => {
  it('restarts a stack that was killed, on the same ports, and does not repeat --reset (bug: a .env file that became invalid stopped it)', async ({
    expect,
    onTestFinished,
  }) => {
    const [folder, cwd] = [await folderOfTest(onTestFinished), await folderOfTest(onTestFinished)];
    const envFile = join(cwd, '.env');
    await writeFile(envFile, 'METRICS=off\nCLUSTER=localnet\nBASE_RPC_URL=http://127.0.0.1:9/canary\n');
    const stack = await startStack(folder, { cwd, args: ['--reset'] });
    onTestFinished(() => void stack.child.kill('SIGKILL'));
    const metricsStatus = async () => (await fetch(`${stack.ledgerUrl}/metrics`)).status;
    expect(await metricsStatus()).toBe(405);
    await airdropAcknowledged(stack, 7_000_000);
    await writeFile(envFile, 'METRICS=on\nCLUSTER=nowhere\n');
    process.kill(stack.stackPid() as number, 'SIGKILL');
    expect(await waitFor(() => balanceOf(stack.ledgerUrl))).toBe(7_000_000);
    expect((await fetch(`${stack.serviceUrl}/health`)).status).toBe(200);
    // The settings are those of before.
    expect(await metricsStatus()).toBe(405);
    const processes = shownOf(stack);
    expect(processes).toContain(`${stack.stackPid()} spl-private-payments stack`);
    expect(processes).not.toContain('canary');
    const { code, stdout, stderr } = await stack.stop();
    expect(code).toBe(0);
    expect(stderr).toContain('"death":"SIGKILL","restarts":1');
    expect(stdout.match(/Ready/g)).toHaveLength(1);
  });

  it.runIf(IS_LONG)(
    'waits for a port that another program uses (bug: it exited permanently with 78)',
    async ({ expect, onTestFinished }) => {
      const stack = await startStack(await folderOfTest(onTestFinished));
      onTestFinished(() => void stack.child.kill('SIGKILL'));
      await airdropAcknowledged(stack, 7_000_000);
      // The system gives outgoing connections ports of this parity, so it is the one that is likely to be
      // taken.
      const webSocketPort = Number(new URL(stack.ledgerUrl).port) + 1;
      const pid = stack.stackPid() as number;
      // The supervisor does not see the death before the port is taken.
      stack.child.kill('SIGSTOP');
      process.kill(pid, 'SIGKILL');
      const release = await waitFor(() => takePort(webSocketPort));
      onTestFinished(release);
      stack.child.kill('SIGCONT');
      await waitFor(() => stack.output().stderr.split(`${webSocketPort} is in use`).length > 3);
      expect(stack.output().stderr).toContain('"death":"exit code 75"');
      release();
      expect(await waitFor(() => balanceOf(stack.ledgerUrl))).toBe(7_000_000);
      expect((await stack.stop()).code).toBe(0);
    },
  );

  it('restarts a stack that is paused, and logs why (bug: nothing was served meanwhile)', async ({
    expect,
    onTestFinished,
  }) => {
    const stack = await startStack(await folderOfTest(onTestFinished));
    await airdropAcknowledged(stack, 7_000_000);
    const pid = stack.stackPid() as number;
    onTestFinished(() => {
      stack.child.kill('SIGKILL');
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    });
    process.kill(pid, 'SIGSTOP');
    // A stopped process takes connections and never answers; they end with it.
    expect(await waitFor(() => balanceOf(stack.ledgerUrl))).toBe(7_000_000);
    expect(stack.stackPid()).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
    const { code, stderr } = await stack.stop();
    expect(code).toBe(0);
    expect(stderr).toMatch(/"death":"SIGKILL, by the supervisor, after no heartbeat for \d+ s"/);
  });

  it('leaves no stack behind when it is killed, and exits when its stack is stopped', async ({
    expect,
    onTestFinished,
  }) => {
    const folder = await folderOfTest(onTestFinished);
    const stack = await startStack(folder);
    await airdropAcknowledged(stack, 7_000_000);
    // It has ended when no process holds its output, so this also waits for the child.
    const { stderr } = await stack.stop('SIGKILL');
    expect(stderr).toContain('draining');
    const env = {
      PORT: new URL(stack.serviceUrl).port,
      LEDGER_RPC_PORT: new URL(stack.ledgerUrl).port,
    };
    const next = await startStack(folder, { env });
    expect(await balanceOf(next.ledgerUrl)).toBe(7_000_000);
    // It also exits if only the serving process is told to stop.
    process.kill(next.stackPid() as number, 'SIGTERM');
    expect((await next.ended).code).toBe(0);
  });

  it.for(inShortForm(1, [{ args: [] }, { args: ['--no-supervisor'] }]))(
    'exits at once with 130 on a second signal ($args)',
    async ({ args }, { expect, onTestFinished }) => {
      const stack = await startStack(await folderOfTest(onTestFinished), { args });
      await openHalfRequest(stack.ledgerUrl, onTestFinished);
      const pid = stack.stackPid();
      void stack.stop();
      await waitFor(() => stack.output().stderr.includes('draining'));
      // One that came sooner would count as the same.
      await sleep(600);
      stack.child.kill('SIGTERM');
      // Whoever waited for the half request would end with another code.
      expect((await stack.ended).code).toBe(130);
      if (pid !== undefined) expect(isRunning(pid)).toBe(false);
    },
  );

  it.runIf(IS_LONG)(
    'gives up on a stack that never becomes ready, and names a remedy',
    async ({ expect }) => {
      // Only the child has a channel: it aborts as soon as it runs.
      const NODE_OPTIONS = '--import=data:text/javascript,process.send&&process.abort()';
      const { code, stdout, stderr } = await runToEnd([], { NODE_OPTIONS });
      expect([code, stdout]).toEqual([70, '']);
      expect(stderr).toContain('crashed 5 times in a row before it was ready. Last cause: SIGABRT');
      expect(stderr).toContain('--reset');
    },
  );

  it.runIf(IS_LONG)(
    'hides its arguments from the process list, and takes Ctrl+C in a terminal as one signal',
    async ({ expect, onTestFinished }) => {
      const folder = join(await folderOfTest(onTestFinished), 'canary');
      const stack = await startStack(folder, { env: { DATA_DIR: '' }, args: ['--ledger', folder] });
      const processes = shownOf(stack);
      process.kill(stack.stackPid() as number, 'SIGINT');
      const { code, stdout: banner } = await stack.stop('SIGINT');
      expect(code).toBe(0);
      expect(banner).toContain(folder);
      expect(processes).toContain(`${stack.child.pid} spl-private-payments`);
      expect(processes).not.toContain('canary');
    },
  );
});
