import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './folders.ts';
import { childOf, launchStdio, waitFor } from './stack-process.ts';

const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

describe('mcp over stdio', () => {
  it('continues after the stack crashes, with whole lines and responses only', async () => {
    const folder = await temporaryFolder((remove) => onTestFinished(remove));
    const { child, ended, output } = launchStdio(folder);
    const ask = async (id: number, message: object): Promise<object> => {
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`);
      return waitFor(() => readAnswers(output().stdout).find((answer) => answer.id === id));
    };
    expect(await ask(1, INITIALIZE)).toMatchObject({ result: { serverInfo: {} } });
    const pid = childOf(child.pid as number) as number;
    process.kill(pid, 'SIGKILL');
    // Sent while no process reads: the input keeps it for the next process.
    expect(await ask(2, { method: 'tools/list' })).toMatchObject({ result: { tools: expect.any(Array) } });
    child.stdin?.end();
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(readAnswers(stdout).map(({ id }) => id)).toEqual([1, 2]);
    expect(stderr).toContain('"death":"SIGKILL"');
  });

  it('logs the warnings of the banner (bug: without a banner they were not shown)', async () => {
    const folder = await temporaryFolder((remove) => onTestFinished(remove));
    const { child, ended, output } = launchStdio(folder, ['--quiet', '--warp-slot', '9']);
    await waitFor(() => output().stderr.includes('--warp-slot 9 has no effect'));
    child.stdin?.end();
    expect((await ended).code).toBe(0);
  });

  it('exits with 0 when the client stops reading (bug: it exited with 1 and restarted for each message)', async () => {
    const folder = await temporaryFolder((remove) => onTestFinished(remove));
    const { child, ended, output } = launchStdio(folder);
    await waitFor(() => output().stderr.includes('new ledger'));
    child.stdout?.destroy();
    child.stdin?.on('error', () => undefined);
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...INITIALIZE })}\n`);
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).not.toContain('false');
    expect(stderr).not.toContain('restarting');
  });

  it('exits with 0 on a signal', async () => {
    const folder = await temporaryFolder((remove) => onTestFinished(remove));
    const { child, ended, output } = launchStdio(folder);
    await waitFor(() => output().stderr.includes('new ledger'));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});

/** The responses in the output, whose last line may be incomplete. */
function readAnswers(stdout: string): { id: number }[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { id: number });
}
