import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type as typeLine } from '../../src/cli/verbs/testing/typed.ts';
import { askRaw } from '../../src/console/testing/raw-request.ts';
import { Keypair } from '../../src/ledger/keypair.ts';
import { paymentsOf, payPrivately } from '../../src/localnet/testing/call-localnet.ts';
import type { LocalnetWallet } from '../../src/localnet/localnet.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import { signBuilt } from '../upstreams/sign-built.ts';
import type { Life } from './life.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const AMOUNT = 1_250_000n;

const rpc = (method: string, ...params: unknown[]): object => ({ jsonrpc: '2.0', id: 1, method, params });

/** Calls a node. Resolves with the status only. */
async function post(
  url: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<void> {
  const { status } = await askRaw(url, path, {
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
}

/** Pays like a program with direct access to the rollup: logins, payment, status and both balances. */
export async function payByProgram(life: Life): Promise<void> {
  const { localnet, alice, bob } = life;
  const { service, rollup } = localnet.urls;
  const token = await localnet.logIn(alice);
  await payPrivately(localnet, alice, bob, AMOUNT);
  const payments = paymentsOf(localnet);
  for (const [wallet, own] of [
    [alice, token],
    [bob, await localnet.logIn(bob)],
  ] as const) {
    await payments.getPrivateBalance({ address: wallet.address, mint: localnet.mint }, { token: own });
  }
  const authorization = `Bearer ${token}`;
  for (const [url, path] of [
    [rollup, '/'],
    [service, '/console/rpc/rollup'],
  ] as const) {
    await post(url, path, rpc('getSignaturesForAddress', alice.address), { authorization });
    await post(url, path, rpc('getBalance', alice.address));
  }
}

/** Pays like an assistant: connects, reads balances on base, and pays. */
export async function payByAssistant(life: Life): Promise<void> {
  const { localnet, alice, bob } = life;
  const { service } = localnet.urls;
  const protocolVersion = '2025-11-25';
  const clientInfo = { name: 'assistant', version: '1' };
  const headers = { accept: 'application/json, text/event-stream' };
  const mcp = (method: string, params: object = {}): Promise<void> =>
    post(service, '/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers);
  const tool = (name: string, args: object): Promise<void> => mcp('tools/call', { name, arguments: args });
  const { mint } = localnet;
  await mcp('initialize', { protocolVersion, capabilities: {}, clientInfo });
  await mcp('tools/list');
  await mcp('ping');
  await tool('spl.getBalance', { address: alice.address, mint });
  const paid = { from: alice.address, to: bob.address, mint, amount: Number(AMOUNT) };
  await tool('spl.transfer', { ...paid, fromBalance: 'ephemeral', toBalance: 'ephemeral' });
  await payPrivately(localnet, alice, bob, AMOUNT);
}

/** Pays with `pay` of the command line. Then both parties read their balances. */
export async function payByCli(life: Life): Promise<void> {
  const { localnet, alice, bob } = life;
  const folder = await mkdtemp(join(tmpdir(), 'console-pay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { service, base, rollup } = localnet.urls;
  const places = join(folder, 'ports');
  writeFileSync(places, JSON.stringify({ service, base, rollup, layout: localnet.layout }));
  const typeAs = async (wallet: LocalnetWallet, verb: string, ...rest: string[]): Promise<void> => {
    const file = join(folder, wallet.address);
    writeFileSync(file, JSON.stringify([...wallet.secretKey]), { mode: 0o600 });
    expect(await typeLine([verb, '--port-file', places, '-k', file, ...rest])).toMatchObject({ code: 0 });
  };
  await typeAs(alice, 'pay', bob.address, '1.25', '--yes');
  for (const wallet of [alice, bob]) {
    await typeAs(wallet, 'balance');
    await typeAs(wallet, 'balance', '--private');
  }
}

/** Pays like the page: logs in, builds, explains twice and sends. Then the tabs of both parties reload. */
export async function payByPage(life: Life): Promise<void> {
  const { alice, bob } = life;
  const token = await logInByPage(life, alice);
  const signature = await sendByPage(life, token);
  await rereadByPage(life, alice, token, signature);
  await rereadByPage(life, bob, await logInByPage(life, bob), signature);
}

async function logInByPage({ localnet }: Life, wallet: LocalnetWallet): Promise<string> {
  const payments = paymentsOf(localnet);
  const { challenge } = await payments.challenge({ pubkey: wallet.address });
  const signature = encodeBase58(wallet.sign(new TextEncoder().encode(challenge)));
  return (await payments.login({ pubkey: wallet.address, challenge, signature })).token;
}

async function sendByPage({ localnet, alice, bob }: Life, token: string): Promise<string> {
  const payments = paymentsOf(localnet);
  const { mint } = localnet;
  const paid = { from: alice.address, to: bob.address, mint, amount: AMOUNT };
  const route = { fromBalance: 'ephemeral', toBalance: 'ephemeral' } as const;
  const { transactionBase64, sendTo, recentBlockhash, lastValidBlockHeight } = await payments.transfer(
    { ...paid, ...route },
    { token },
  );
  const request = {
    operation: 'transfer',
    arguments: { ...paid, ...route, amount: String(AMOUNT) },
  } as const;
  for (let look = 0; look < 2; look += 1) {
    await payments.explainTransaction(
      { transactionBase64, sendTo, wallet: alice.address, request: { ...request, recentBlockhash } },
      { token },
    );
  }
  const signed = signBuilt(transactionBase64, new Keypair(alice.secretKey.subarray(0, 32)));
  const sent = await payments.sendTransaction(
    { transactionBase64: signed, sendTo, confirm: true, recentBlockhash, lastValidBlockHeight },
    { token },
  );
  expect(sent.outcome).toBe('confirmed');
  return sent.signature;
}

/** Reloads both ledgers like a tab after an event. Base gets no token. */
async function rereadByPage(
  { localnet }: Life,
  { address }: LocalnetWallet,
  token: string,
  signature: string,
): Promise<void> {
  const { service } = localnet.urls;
  const asked = [
    rpc('getAccountInfo', address, { encoding: 'jsonParsed' }),
    rpc('getSignaturesForAddress', address, { limit: 25 }),
    rpc('getTransaction', signature, { maxSupportedTransactionVersion: 0 }),
    rpc('getSignatureStatuses', [signature]),
    rpc('getTransactionCount'),
    rpc('getSlot'),
    // Rejected, like calls from a page with a different version.
    rpc('getBlock', 'none'),
  ];
  await post(service, '/console/rpc/base', asked, { origin: service });
  for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
    await post(service, '/console/rpc/rollup', asked, { origin: service, ...headers });
  }
  for (const one of asked) await post(service, '/console/rpc/base', one, { origin: service });
}
