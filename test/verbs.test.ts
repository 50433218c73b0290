import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type } from '../src/cli/verbs/testing/typed.ts';
import { VERB_EXIT_CODES } from '../src/cli/verbs/verb-failure.ts';
import { Keypair } from '../src/ledger/keypair.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { runApp, type RunningApp } from './client/running-app.ts';
import { folderOfFile } from './folders.ts';
import { runToEnd } from './stack-process.ts';

const SIGNATURE = /[1-9A-HJ-NP-Za-km-z]{86,88}/g;
const ADDRESS = /[1-9A-HJ-NP-Za-km-z]{43,44}/g;

/** An output without what differs from run to run. */
const masked = (text: string): string =>
  text.replaceAll(SIGNATURE, '<signature>').replaceAll(ADDRESS, '<address>');

describe('the verbs on localnet', () => {
  let app: RunningApp;
  let folder: string;
  let where: readonly string[];
  const file = (name: string): string => join(folder, `${name}.json`);

  beforeAll(async () => {
    app = await runApp();
    folder = await folderOfFile();
    const ports = { service: app.serviceUrl, base: app.ledgerUrl, rollup: app.rollupUrl, layout: 'a' };
    writeFileSync(join(folder, 'ports'), JSON.stringify(ports));
    where = ['--port-file', join(folder, 'ports')];
    for (const name of ['alice', 'bob', 'carol']) {
      expect(await type(['wallet', 'new', '-k', file(name)])).toMatchObject({ code: 0, stderr: '' });
      const funded = await type(['fund', ...where, '-k', file(name), '--sol', '2', '--tokens', '5']);
      expect(funded).toMatchObject({ code: 0, stderr: '' });
      expect(masked(funded.stdout)).toBe('<address> received 2 SOL and 5 USDC\n');
    }
  });
  afterAll(() => app.close());

  const as = (name: string, ...line: string[]) => {
    const [verb = '', ...rest] = line;
    return type([verb, ...where, '-k', file(name), ...rest]);
  };
  const walletOf = async (name: string) => (await type(['wallet', 'show', '-k', file(name)])).stdout.trim();

  it('make a private payment from deposit to withdrawal', async () => {
    expect((await as('alice', 'balance')).stdout).toBe('5 USDC\n2 SOL\n');
    const deposit = await as('alice', 'deposit', '1.5', '--yes', '--max-amount', '1.5');
    expect(deposit).toMatchObject({ code: 0, stderr: '' });
    expect(masked(deposit.stdout)).toBe('arrived <signature>\n');
    expect((await as('bob', 'deposit', '1000', '--base-units', '-y')).code).toBe(0);
    const paid = await as('alice', 'pay', await walletOf('bob'), '0.25', '--yes', '--json');
    expect(JSON.parse(paid.stdout)).toMatchObject({ outcome: 'arrived', sendTo: 'ephemeral' });
    expect((await as('bob', 'balance', '--private')).stdout).toBe('0.251 USDC\n');
    expect(JSON.parse((await as('alice', 'balance', '--private', '--json')).stdout)).toEqual({
      address: await walletOf('alice'),
      mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      location: 'ephemeral',
      balance: '1250000',
      decimals: 6,
      uiAmount: '1.25',
    });
    expect((await as('alice', 'undelegate', '--yes')).code).toBe(0);
    expect((await as('alice', 'withdraw', '1.25', '--yes')).code).toBe(0);
    expect((await as('alice', 'balance')).stdout).toMatch(/^4\.75 USDC\n1\.\d+ SOL\n$/);
  });

  it('report a missing rollup (bug: the process exited silently with 13)', async () => {
    const line = ['balance', '--private', '-k', file('carol'), '--url', app.ledgerUrl];
    const { code, stdout, stderr } = await runToEnd([...line, '--rollup', 'http://127.0.0.1:1'], {});
    expect({ code, stdout }).toEqual({ code: 69, stdout: '' });
    expect(stderr).toContain('(UPSTREAM_UNAVAILABLE)');
  });

  it('sign nothing without a terminal or --yes, and send no request before', async () => {
    const refused = await type(['deposit', '1', '-k', '/none', '--url', 'http://127.0.0.1:1']);
    expect(refused.code).toBe(77);
    expect(refused.stderr).toContain('there is no terminal to ask for confirmation. Pass --yes');
  });

  it('show the transaction before signing, and sign only after a yes', async () => {
    const line = ['deposit', ...where, '-k', file('carol'), '0.5'];
    const before = (await as('carol', 'balance')).stdout;
    const no = await type(line, { canAsk: true, answer: 'n' });
    expect(no).toMatchObject({ code: 77, stdout: '' });
    expect(masked(no.stderr)).toMatch(/^clear: for base of localnet, paid for by <address>\n/);
    expect(masked(no.stderr)).toContain('  <address> -0.5 USDC on base\n');
    expect(no.stderr).toContain(
      'Sign and send it? [y/N] Nothing was signed: you did not confirm (NOT_CONFIRMED)',
    );
    expect((await as('carol', 'balance')).stdout).toBe(before);
  });

  it('reject amounts above --max-amount or --max-lamports', async () => {
    const tokens = await as('carol', 'deposit', '0.5', '--yes', '--max-amount', '0.499999', '--json');
    expect(tokens).toMatchObject({ code: 77, stdout: '' });
    const { error } = JSON.parse(tokens.stderr) as { error: { code: string; reasons: { code: string }[] } };
    expect(error).toMatchObject({ code: 'TRANSACTION_REFUSED', exitCode: 77, reasons: [{ code: 'LIMIT' }] });
    expect((await as('carol', 'deposit', '0.5', '--yes', '--max-lamports', '1')).code).toBe(77);
  });

  it('explain bytes and signatures, and send transactions that were built elsewhere', async () => {
    const owner = await walletOf('carol');
    const built = await fetch(`${app.serviceUrl}/v1/spl/deposit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ owner, amount: 70_000 }),
    });
    const { transactionBase64 } = (await built.json()) as { transactionBase64: string };
    const explained = await type(['explain', ...where, transactionBase64]);
    expect(masked(explained.stdout)).toMatch(/^clear: for base of localnet, paid for by <address>\n/);
    const sent = await type(['send', ...where, '-k', file('carol'), '-y', '--json', '-'], {
      input: `${transactionBase64}\n`,
    });
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    const { signature } = JSON.parse(sent.stdout) as { signature: string };
    const landed = await type(['explain', ...where, signature, '--json']);
    expect(JSON.parse(landed.stdout)).toMatchObject({ sendTo: 'base', fullySigned: true });
    const another = signature.replace(/^./, (first) => (first === '2' ? '3' : '2'));
    const unknown = await type(['explain', ...where, another]);
    expect(unknown.code).toBe(65);
    // Another wallet cannot sign for its owner.
    const other = await type(['send', ...where, '-k', file('alice'), '-y', transactionBase64]);
    expect(other).toMatchObject({ code: 77, stdout: '' });
  });

  it('sign for someone else to send, but only payments to --to (bug: it only named the recipient)', async () => {
    const [from, to] = [await walletOf('carol'), new Keypair(new Uint8Array(32).fill(3)).address];
    const body = { from, to, mint: USDC_MINT, amount: 5, visibility: 'public', initRecipientAta: true };
    const built = await fetch(`${app.serviceUrl}/v1/spl/transfer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, fromBalance: 'base', toBalance: 'base' }),
    });
    const { transactionBase64 } = (await built.json()) as { transactionBase64: string };
    const sign = (recipient: string) =>
      type(['sign', ...where, '-k', file('carol'), '-y', '--to', recipient, transactionBase64]);
    const refused = await sign(await walletOf('alice'));
    expect(refused).toMatchObject({ code: 77, stdout: '' });
    expect(refused.stderr).toContain(`${to} is not in limits.recipients`);
    const signed = await sign(to);
    expect(signed).toMatchObject({ code: 0, stderr: '' });
    const sent = await type(['send', ...where, '-k', file('carol'), '-y', signed.stdout.trim()]);
    expect(sent.code).toBe(0);
  });

  it('reject a transaction that would fail, with the reason from the ledger', async () => {
    const ended = await as('alice', 'deposit', '4000', '-y');
    expect(ended).toMatchObject({ code: 77, stdout: '' });
    expect(ended.stderr).toMatch(/^Nothing was signed\. The reasons: \(TRANSACTION_REFUSED\)\n {2}\S/);
  });

  it.each([
    ['more decimals than the mint', ['deposit', '0.0000001', '-y'], [78]],
    ['a value that is not a number', ['deposit', 'all', '-y'], [78]],
    ['an unknown option', ['deposit', '1', '--yess'], [78]],
    ['an invalid address', ['pay', 'nobody', '1', '-y'], [65]],
    ['an extra word', ['deposit', '1', '2', '-y'], [78]],
    ['a missing word', ['pay', '-y'], [78]],
    ['a service that is not running', ['deposit', '1', '-y', '--service', 'http://127.0.0.1:1'], [69]],
    ['--url together with --port-file', ['balance', '--url', 'l'], [78]],
    ['a network with --port-file', ['balance', '--url', 'devnet'], [78]],
  ])('exit with a stable code for %s', async (_, line, codes) => {
    const ended = await as('carol', ...line);
    expect(codes, ended.stderr).toContain(ended.code);
    expect(ended.stdout).toBe('');
    expect(ended.stderr).not.toBe('');
    expect(ended.stderr).not.toContain('    at ');
  });
});

describe('wallet', () => {
  it('makes the key readable only by its user, overwrites no key, and prints none', async () => {
    const home = await folderOfFile();
    const made = await type(['wallet', 'new', '--json'], { home });
    const path = join(home, '.config/solana/id.json');
    const { address, keypair } = JSON.parse(made.stdout) as { address: string; keypair: string };
    expect(keypair).toBe(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const content = readFileSync(path, 'utf8');
    expect(await type(['wallet', 'show'], { home })).toMatchObject({ code: 0, stdout: `${address}\n` });
    expect(await type(['wallet', 'new'], { home })).toMatchObject({ code: 78, stdout: '' });
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  it('rejects a key file that others can read, and invalid keys, without printing them', async () => {
    const home = await folderOfFile();
    const path = join(home, 'id.json');
    await type(['wallet', 'new', '-k', path]);
    chmodSync(path, 0o644);
    const shared = await type(['wallet', 'show', '-k', path]);
    expect(shared).toMatchObject({ code: 78, stdout: '' });
    expect(shared.stderr).toContain(`run chmod 600 ${path}`);
    writeFileSync(join(home, 'canary'), '[201, 7]', { mode: 0o600 });
    const broken = await type(['wallet', 'show', '-k', join(home, 'canary')]);
    expect(broken.code).toBe(78);
    expect(broken.stderr).not.toContain('201');
  });

  it('signs texts, except texts that could be a transaction', async () => {
    const home = await folderOfFile();
    await type(['wallet', 'new'], { home });
    const signed = await type(['wallet', 'sign-message', 'log in 1'], { home });
    expect(masked(signed.stdout)).toBe('<signature>\n');
    expect((await type(['wallet', 'sign-message', '\u0001\u0000'], { home })).code).toBe(78);
  });
});

describe('a real network', () => {
  /** A node of a network that says what its genesis is, and counts what else it is asked. */
  async function nodeOf(genesis: string): Promise<{ url: string; asked: string[]; server: Server }> {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        asked.push((JSON.parse(body) as { method: string }).method);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: genesis }));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    afterAll(() => void server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
  }

  const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
  const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';

  it('is not used unless it is named', async () => {
    const { url, asked } = await nodeOf(MAINNET);
    const ended = await type(['balance', WALLET, '--url', url]);
    expect(ended).toMatchObject({ code: 77, stdout: '' });
    expect(ended.stderr).toContain('The node belongs to mainnet, not to localnet');
    expect(asked).toEqual(['getGenesisHash']);
  });

  it('is not confused with another', async () => {
    const { url, asked } = await nodeOf(MAINNET);
    expect((await type(['balance', WALLET, '--url', 'devnet', '--base', url])).code).toBe(77);
    expect(asked).toEqual(['getGenesisHash']);
  });

  it('has no node except the given one', async () => {
    const ended = await type(['balance', WALLET, '--url', 'mainnet']);
    expect(ended.code).toBe(78);
    expect(ended.stderr).toContain('pass one with --base, or set BASE_RPC_URL');
  });
});

it('the exit codes match docs/command-line.md', () => {
  const page = readFileSync(new URL('../docs/command-line.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Exit codes');
  const told = Array.from(section.matchAll(/^\| (\d+) \|/gm), ([, code]) => Number(code));
  expect(told).toEqual(Object.values(VERB_EXIT_CODES));
  expect(VERB_EXIT_CODES).toEqual({
    done: 0,
    fault: 1,
    refused: 65,
    unavailable: 69,
    unconfirmed: 74,
    held: 75,
    unsigned: 77,
    config: 78,
  });
});
