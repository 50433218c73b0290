import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Address, addressOf } from '../src/solana/address.ts';
import { encodeBase58 } from '../src/solana/base58.ts';
import { decodeTransaction } from '../src/solana/transaction.ts';
import { folderOfFile } from './folders.ts';
import { callLedger, postJson, type StackProcess, startStack } from './stack-process.ts';

/** Every example of the interface's contract, sent to the built program over real sockets. */

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

let stack: StackProcess;

beforeAll(async () => {
  stack = await startStack(await folderOfFile());
});

afterAll(() => stack.stop());

async function post(body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) {
  const response = await fetch(`${stack.serviceUrl}/mcp`, { method: 'POST', headers, body });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

interface Wallet {
  readonly address: Address;
  readonly privateKey: KeyObject;
}

function newWallet(): Wallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    address: addressOf(new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))),
    privateKey,
  };
}

const depositCall = (owner: string, amount: number | string = 1) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 3,
    method: 'tools/call',
    params: {
      name: 'spl.deposit',
      arguments: {
        owner,
        amount,
        initIfMissing: true,
        initAtasIfMissing: true,
        initVaultIfMissing: true,
        idempotent: true,
      },
    },
  });

describe('POST /mcp', () => {
  it('answers initialize in plain JSON, without a session', async () => {
    const answer = await post(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'curl', version: '1.0.0' },
        },
      }),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    expect(JSON.parse(answer.text)).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'spl-private-payments-api', version: '0.1.0' },
      },
    });
  });

  it('answers notifications/initialized with 202 and no body', async () => {
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    expect(answer).toMatchObject({ status: 202, text: '' });
  });

  it('lists spl.deposit among the tools', async () => {
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }));
    expect(answer.status).toBe(200);
    const { tools } = (JSON.parse(answer.text) as { result: { tools: { name: string }[] } }).result;
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['spl.deposit', 'spl.getBalance']));
  });

  it('builds a deposit from the six arguments, even for a wallet that holds nothing yet', async () => {
    const owner = newWallet().address;
    const answer = await post(depositCall(owner), {
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(answer.status).toBe(200);
    const { id, result } = JSON.parse(answer.text) as { id: number; result: Record<string, unknown> };
    expect(id).toBe(3);
    expect(result['isError']).not.toBe(true);
    expect((result['content'] as unknown[])[0]).toEqual({
      type: 'text',
      text: 'Built an unsigned SPL deposit transaction.',
    });
    const structured = result['structuredContent'] as Record<string, never>;
    expect(structured).toMatchObject({
      kind: 'deposit',
      version: 'legacy',
      sendTo: 'base',
      recentBlockhash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
      lastValidBlockHeight: expect.any(Number),
      requiredSigners: [owner],
      validator: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
    });
    const transaction = decodeTransaction(
      new Uint8Array(Buffer.from(structured['transactionBase64'] as unknown as string, 'base64')),
    );
    expect(structured['instructionCount']).toBe(transaction.instructions.length);
    expect(transaction.signatures.every((signature) => signature.every((byte) => byte === 0))).toBe(true);
  });

  it.each([
    ['{"jsonrpc":', 'application/json', 400, -32700, 'Parse error'],
    ['', 'application/json', 400, -32700, 'Parse error'],
    ['{"hello":"world"}', 'application/json', 400, -32600, 'Invalid Request'],
    ['{}', 'text/plain', 415, -32000, 'Unsupported Media Type: Content-Type must be application/json'],
  ])('answers the body %j sent as %s with %i', async (body, type, status, code, message) => {
    const answer = await post(body, { 'content-type': type });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.parse(answer.text)).toEqual({ jsonrpc: '2.0', error: { code, message }, id: null });
  });
});

describe('the documents', () => {
  it('GET /mcp returns an info document, and 405 to an event-stream probe', async () => {
    const info = await fetch(`${stack.serviceUrl}/mcp`);
    expect(info.status).toBe(200);
    expect(await info.json()).toMatchObject({ name: 'spl-private-payments-api', version: '0.1.0' });
    const probe = await fetch(`${stack.serviceUrl}/mcp`, { headers: { accept: 'text/event-stream' } });
    expect(probe.status).toBe(405);
    expect(probe.headers.get('allow')).toContain('POST');
  });

  it('GET /.well-known/mcp.json returns a discovery document', async () => {
    const discovery = await fetch(`${stack.serviceUrl}/.well-known/mcp.json`);
    expect(discovery.status).toBe(200);
    expect(await discovery.json()).toMatchObject({ version: '0.1.0', transport: expect.anything() });
  });

  it('GET /health answers on both listeners', async () => {
    expect((await fetch(`${stack.serviceUrl}/health`)).status).toBe(200);
    const health = await fetch(`${stack.ledgerUrl}/health`);
    expect([health.status, await health.text()]).toEqual([200, 'ok']);
  });
});

describe('the five methods of the ledger node', () => {
  it.each(['processed', 'confirmed', 'finalized'])('getSlot at %s', async (commitment) => {
    const answer = await postJson(stack.ledgerUrl, {
      jsonrpc: '2.0',
      id: 1,
      method: 'getSlot',
      params: [{ commitment }],
    });
    expect(answer).toEqual({ jsonrpc: '2.0', result: expect.any(Number), id: 1 });
  });

  it('getMinimumBalanceForRentExemption', async () => {
    const params = [165, { commitment: 'confirmed' }];
    expect(await callLedger(stack.ledgerUrl, 'getMinimumBalanceForRentExemption', params)).toBe(2_039_280);
  });

  it('includes a confirmed transaction in a block, in the format indexers read', async () => {
    const wallet = newWallet();
    const signature = await callLedger<string>(stack.ledgerUrl, 'requestAirdrop', [wallet.address, 1_000]);
    const { value } = await callLedger<{ value: [{ slot: number; confirmationStatus: string }] }>(
      stack.ledgerUrl,
      'getSignatureStatuses',
      [[signature]],
    );
    expect(value[0].confirmationStatus).toMatch(/confirmed|finalized/);
    const block = await callLedger<{ signatures: string[] }>(stack.ledgerUrl, 'getBlock', [
      value[0].slot,
      { transactionDetails: 'signatures', maxSupportedTransactionVersion: 0, rewards: false },
    ]);
    expect(block.signatures).toContain(signature);
  });

  it('simulates, sends, reads back and ranks a deposit', async () => {
    const wallet = newWallet();
    await callLedger(stack.ledgerUrl, 'requestAirdrop', [wallet.address, 1_000_000_000]);
    await callLedger(stack.ledgerUrl, 'requestTokenAirdrop', [wallet.address, USDC, 5_000_000]);
    const built = JSON.parse((await post(depositCall(wallet.address, 2_000_000))).text) as {
      result: { structuredContent: { transactionBase64: string; warnings?: unknown } };
    };
    const { transactionBase64, warnings } = built.result.structuredContent;
    expect(warnings).toBeUndefined();

    const simulated = await callLedger<{ value: { err: unknown; unitsConsumed: number } }>(
      stack.ledgerUrl,
      'simulateTransaction',
      [transactionBase64, { commitment: 'confirmed', encoding: 'base64', replaceRecentBlockhash: true }],
    );
    expect(simulated.value.err).toBeNull();
    expect(simulated.value.unitsConsumed).toBeGreaterThan(0);

    const wire = Buffer.from(transactionBase64, 'base64');
    const { messageAt } = decodeTransaction(new Uint8Array(wire));
    sign(null, wire.subarray(messageAt), wallet.privateKey).copy(wire, 1);
    const signature = await callLedger<string>(stack.ledgerUrl, 'sendTransaction', [
      wire.toString('base64'),
      { encoding: 'base64' },
    ]);
    expect(signature).toBe(encodeBase58(wire.subarray(1, 65)));

    const landed = await callLedger<{ meta: { err: unknown; fee: number }; version: string }>(
      stack.ledgerUrl,
      'getTransaction',
      [signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0, encoding: 'json' }],
    );
    expect(landed).toMatchObject({ meta: { err: null, fee: 5_000 }, version: 'legacy' });

    const largest = await callLedger<{ value: { amount: string }[] }>(
      stack.ledgerUrl,
      'getTokenLargestAccounts',
      [USDC, { commitment: 'confirmed' }],
    );
    expect(largest.value.map(({ amount }) => amount)).toEqual(['3000000', '2000000']);

    const again = JSON.parse((await post(depositCall(wallet.address))).text) as {
      result: { isError: boolean; content: { text: string }[]; structuredContent?: unknown };
    };
    expect(again.result.isError).toBe(true);
    expect(again.result.structuredContent).toBeUndefined();
    expect(again.result.content[0]?.text).toContain('already delegated to validator');
  });

  it('getTransaction returns null for a signature that never landed', async () => {
    const params = [encodeBase58(new Uint8Array(64).fill(9)), { encoding: 'json' }];
    expect(await callLedger(stack.ledgerUrl, 'getTransaction', params)).toBeNull();
  });
});
