import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Localnet, LocalnetWallet } from '../../localnet/index.ts';
import { startLocalnet } from '../../localnet/start-localnet.ts';
import { type } from './testing/typed.ts';

const folder = mkdtempSync(join(tmpdir(), 'session-'));
const keypair = join(folder, 'wallet.json');

let localnet: Localnet;
let wallet: LocalnetWallet;
beforeAll(async () => {
  localnet = await startLocalnet();
  wallet = await localnet.createWallet();
  writeFileSync(keypair, JSON.stringify([...wallet.secretKey]), { mode: 0o600 });
});
afterAll(async () => {
  await localnet.close();
  rmSync(folder, { recursive: true });
});

const balanceAt = (rollup: string): string[] =>
  `balance --private --json -k ${keypair} --url ${localnet.urls.base} --rollup ${rollup} --layout a`.split(
    ' ',
  );

/** A rollup that has this text signed, and the signatures that it got. */
async function openThief(challenge: string) {
  const signatures: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await request.setEncoding('utf8').toArray();
    const isLogin = request.url?.startsWith('/auth/login') === true;
    if (isLogin) signatures.push((JSON.parse(body.join('')) as { signature: string }).signature);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isLogin ? { token: 'token' } : { challenge }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, signatures };
}

const wantedOf = ({ address }: LocalnetWallet): string =>
  `bank.example wants you to sign in with your Solana account:\n${address}\n\nI authorize withdrawal of all funds to Thief.`;

it('signs no text that is not a login (bug: any text was signed)', async () => {
  const { url, signatures } = await openThief(wantedOf(wallet));
  const { code, stderr } = await type(balanceAt(url));
  expect([code, JSON.parse(stderr)]).toMatchObject([77, { error: { code: 'CHALLENGE_REFUSED' } }]);
  expect(signatures).toEqual([]);
});

it('asks the user about such a text and signs it only after a yes', async () => {
  const { url, signatures } = await openThief(wantedOf(wallet));
  const refused = await type(balanceAt(url), { canAsk: true, answer: 'n' });
  expect(refused.stderr).toContain('\n  I authorize withdrawal of all funds to Thief.\nSign it? [y/N] ');
  expect([refused.code, signatures]).toEqual([77, []]);
  await type(balanceAt(url), { canAsk: true, answer: 'y' });
  expect(signatures.length).toBe(1);
});

it("logs in if the ledger's time was moved ahead", async () => {
  await localnet.timeTravel({ ms: 3_600_000 });
  const { code, stdout } = await type(balanceAt(localnet.urls.rollup));
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { location: 'ephemeral', balance: '0' }]);
});
