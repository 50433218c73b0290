import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { randomAddress } from './lifecycle/random-address.ts';
import { temporaryFolder } from './folders.ts';
import { callLedger, startStack, waitFor, type StackProcess } from './stack-process.ts';

/** Starts a stack whose process aborts at SIGUSR2. */
const MAIN = fileURLToPath(new URL('engine-abort/main.mjs', import.meta.url));

const ROUNDS = 2;
const LAMPORTS = 1_000_000;

/** An airdrop that may have been asked for at the wrong moment. */
interface Airdrop {
  readonly wallet: string;
  /** Null where the answer was an error or none. */
  readonly signature: string | null;
}

async function requestAirdrop(url: string): Promise<Airdrop> {
  const wallet = randomAddress();
  const signature = await callLedger<string>(url, 'requestAirdrop', [wallet, LAMPORTS]).catch(() => null);
  return { wallet, signature };
}

async function balanceOf(url: string, wallet: string): Promise<number> {
  return (await callLedger<{ value: number }>(url, 'getBalance', [wallet])).value;
}

/** A connection over which half a request was sent; resolves to whether it ended without an answer. */
async function openHalfRequest(url: string): Promise<{ closedUnanswered: Promise<boolean> }> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  const closedUnanswered = new Promise<boolean>((resolve) => {
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
    socket.on('error', () => {}).once('close', () => resolve(answer === ''));
  });
  const head =
    'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{';
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  return { closedUnanswered };
}

/** Aborts the engine while requests are under way. */
async function abortUnderLoad({ ledgerUrl, stackPid }: StackProcess) {
  const half = await openHalfRequest(ledgerUrl);
  const before = await Promise.all(Array.from({ length: 5 }, () => requestAirdrop(ledgerUrl)));
  const meanwhile = Promise.all(Array.from({ length: 20 }, () => requestAirdrop(ledgerUrl)));
  const pid = stackPid() as number;
  process.kill(pid, 'SIGUSR2');
  expect(await half.closedUnanswered).toBe(true);
  await waitFor(() => callLedger(ledgerUrl, 'getSlot'));
  expect(stackPid()).not.toBe(pid);
  return { before, meanwhile: await meanwhile };
}

describe('an abort of the engine', () => {
  it('costs the requests in progress and nothing that was acknowledged', async () => {
    const folder = await temporaryFolder((remove) => onTestFinished(remove));
    const stack = await startStack(folder, { main: MAIN });
    const { ledgerUrl } = stack;
    const airdrops: Airdrop[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const slot = await callLedger<number>(ledgerUrl, 'getSlot');
      const { before, meanwhile } = await abortUnderLoad(stack);
      expect(before.map(({ signature }) => signature)).not.toContain(null);
      airdrops.push(...before, ...meanwhile);
      expect(await callLedger<number>(ledgerUrl, 'getSlot')).toBeGreaterThanOrEqual(slot);
      for (const { wallet, signature } of airdrops) {
        const balance = await balanceOf(ledgerUrl, wallet);
        if (signature === null) expect([0, LAMPORTS]).toContain(balance);
        else expect(balance).toBe(LAMPORTS);
      }
      const acknowledged = airdrops.flatMap(({ signature }) => signature ?? []);
      const statuses = await callLedger<{ value: unknown[] }>(ledgerUrl, 'getSignatureStatuses', [
        acknowledged,
        { searchTransactionHistory: true },
      ]);
      expect(statuses.value).not.toContain(null);
    }
    const { code, stderr } = await stack.stop();
    expect(code).toBe(0);
    expect(stderr.match(/"death":"SIGABRT"/g)).toHaveLength(ROUNDS);
  });
});
