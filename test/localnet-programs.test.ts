import { cp, readdir, rm } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findDumpFolders } from '../src/ledger/genesis/dumps.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { temporaryFolder } from './folders.ts';
import { callLedger, runToEnd, startStack, waitFor } from './stack-process.ts';

const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const folderOfTest = () => temporaryFolder((remove) => onTestFinished(remove));

/** The tools that a running stack lists, by name. */
async function toolsOf(serviceUrl: string): Promise<ReadonlyMap<string, string>> {
  const response = await fetch(`${serviceUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result } = (await response.json()) as {
    result: { tools: { name: string; description: string }[] };
  };
  return new Map(result.tools.map(({ name, description }) => [name, description]));
}

describe('start --programs', () => {
  it('exits with 78 and a sentence if the folder lacks a program, and creates no ledger', async () => {
    const folder = await folderOfTest();
    const programs = findDumpFolders().installed ?? '';
    const { code, stderr } = await runToEnd(['--programs', programs, '--ledger', folder], {
      PORT: '0',
      LEDGER_RPC_PORT: '0',
      ROLLUP_RPC_PORT: '0',
    });
    expect([code, stderr]).toEqual([78, expect.stringContaining('ephemeral_spl_token.so does not exist')]);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe.skipIf(LAYOUT_B_FOLDER === null)(`start --programs (needs ${NO_LAYOUT_B})`, () => {
  it('runs localnet on the programs of the networks, also after a restart', async () => {
    const folder = await folderOfTest();
    const stack = await startStack(folder, { args: ['--programs', LAYOUT_B_FOLDER ?? ''] });
    onTestFinished(() => stack.stop().then(() => undefined));
    expect(stack.output().stdout).toMatch(
      /Programs +the versions of the Solana networks \(layout B\).*Business Source License 1\.1/,
    );
    const tools = await toolsOf(stack.serviceUrl);
    expect(tools.has('spl.initializeMint')).toBe(true);
    expect(tools.get('spl.withdraw')).not.toContain('localnet');

    await callLedger(stack.ledgerUrl, 'requestAirdrop', [WALLET, 10_000_000_000]);
    await callLedger(stack.ledgerUrl, 'requestTokenAirdrop', [WALLET, USDC, 1_000_000]);
    const response = await fetch(`${stack.serviceUrl}/v1/spl/initialize-mint`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payer: WALLET, mint: USDC }),
    });
    const { transactionBase64 } = (await response.json()) as { transactionBase64: string };
    const simulation = await callLedger(stack.ledgerUrl, 'simulateTransaction', [
      transactionBase64,
      { encoding: 'base64', sigVerify: false },
    ]);
    expect(simulation).toMatchObject({ value: { err: null } });

    expect((await stack.stop()).code).toBe(0);
    const again = await startStack(folder);
    onTestFinished(() => again.stop().then(() => undefined));
    expect(again.output().stdout).toContain('the versions of the Solana networks (layout B)');
    await again.stop();
  });

  it('restarts after a crash with its programs, even if their folder has changed', async () => {
    const [folder, programs] = [await folderOfTest(), await folderOfTest()];
    await cp(LAYOUT_B_FOLDER ?? '', programs, { recursive: true });
    const stack = await startStack(folder, { args: ['--programs', programs] });
    onTestFinished(() => void stack.child.kill('SIGKILL'));
    const killed = stack.stackPid() as number;
    await rm(programs, { recursive: true });
    process.kill(killed, 'SIGKILL');
    await waitFor(() => stack.stackPid() !== killed && callLedger(stack.ledgerUrl, 'getSlot'));
    expect((await waitFor(() => toolsOf(stack.serviceUrl))).has('spl.initializeMint')).toBe(true);
    expect((await stack.stop()).code).toBe(0);
  });
});
