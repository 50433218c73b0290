import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Localnet, LocalnetWallet } from '../../localnet/index.ts';
import { startLocalnet } from '../../localnet/start-localnet.ts';
import { paymentsOf } from '../../localnet/testing/call-localnet.ts';
import { type } from './testing/typed.ts';

/** The seed of every key, address and blockhash. Time is stopped, so every run prints the same. */
const STEADY = { seed: 'golden', clock: { startsAtMs: Date.UTC(2026, 0, 1) } };

const folder = mkdtempSync(join(tmpdir(), 'golden-'));
const file = (name: string): string => join(folder, name);

let localnet: Localnet;
let alice: LocalnetWallet;
let bob: LocalnetWallet;
/** They have tokens on base alone. */
let carol: LocalnetWallet;
let dave: LocalnetWallet;

beforeAll(async () => {
  localnet = await startLocalnet(STEADY);
  const { service, base, rollup } = localnet.urls;
  writeFileSync(file('ports'), JSON.stringify({ service, base, rollup, layout: localnet.layout }));
  [alice, bob] = [await localnet.createWallet(), await localnet.createWallet()];
  const gift = { sol: 1, tokens: 3_000_000n };
  [carol, dave] = [await localnet.createWallet(gift), await localnet.createWallet(gift)];
  for (const [name, { secretKey }] of Object.entries({ alice, bob, carol, dave })) {
    writeFileSync(file(name), JSON.stringify([...secretKey]), { mode: 0o600 });
  }
});
afterAll(async () => {
  await localnet.close();
  rmSync(folder, { recursive: true });
});

/** Values that differ between runs and machines. */
function masked(text: string): string {
  const { service, base, rollup } = localnet.urls;
  const hosts = Object.entries({ service, base, rollup }).map(([name, url]) => [new URL(url).host, name]);
  let steady = text.replaceAll(folder, '<folder>');
  for (const [host = '', name = ''] of hosts) steady = steady.replaceAll(host, `<${name}>`);
  return steady;
}

const told: string[] = [];

interface Typing {
  readonly mask?: (text: string) => string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly onLog?: (text: string) => void;
}

/** Runs a command line, records it as a terminal shows it, and returns the output. */
async function typed(
  words: readonly string[],
  { mask = (text) => text, ...at }: Typing = {},
): Promise<string> {
  const { code, stdout, stderr } = await type(words, at);
  expect({ code, stderr }, words.join(' ')).toEqual({ code: 0, stderr: expect.any(String) });
  const shown = [`$ spp ${words.join(' ')}`, stdout + stderr, `(exit code ${code})`, ''].join('\n');
  told.push(mask(masked(shown)));
  return stdout;
}

const WHERE = () => ['--port-file', file('ports')];
const as = (name: string): readonly string[] => [...WHERE(), '-k', file(name)];

/** A line for people, and the same with `--json`; what it does, it does twice. */
async function both(line: readonly string[], typing?: Typing): Promise<void> {
  await typed(line, typing);
  await typed([...line, '--json'], typing);
}

/** A deposit as the service builds it, base64. */
async function depositOf({ address: owner }: LocalnetWallet): Promise<string> {
  const asked = { owner, mint: localnet.mint, amount: 1_250_000n, initIfMissing: true };
  return (await paymentsOf(localnet).deposit({ ...asked, initVaultIfMissing: true })).transactionBase64;
}

it('every success matches the recorded output, as text and with --json', async () => {
  const drawn = (text: string): string => text.replaceAll(/[1-9A-HJ-NP-Za-km-z]{43,44}/g, '<address>');
  await typed(['wallet', 'new', '-k', file('drawn')], { mask: drawn });
  await typed(['wallet', 'new', '-k', file('other'), '--json'], { mask: drawn });
  await both(['wallet', 'show', '-k', file('alice')]);
  await both(['wallet', 'sign-message', 'log in 1', '-k', file('alice')]);
  await both(['fund', ...as('alice')]);
  await both(['fund', bob.address, ...WHERE(), '--sol', '0.5', '--tokens', '7.25']);
  await both(['balance', ...as('alice')]);
  await typed(['deposit', '1.5', '--yes', ...as('alice')]);
  await typed(['deposit', '2', '--yes', ...as('bob'), '--json']);
  await typed(['pay', bob.address, '0.25', '--yes', ...as('alice')]);
  const paid = await typed(['pay', alice.address, '0.5', '--yes', ...as('bob'), '--json']);
  await both(['balance', '--private', ...as('alice')]);
  await both(['explain', await depositOf(carol), ...WHERE()]);
  await both(['explain', await depositOf(carol), '--offline', ...WHERE()]);
  const { signature } = JSON.parse(paid) as { signature: string };
  await both(['watch', signature, '--count', '1', ...as('alice')]);
  const sent = await typed(['send', await depositOf(carol), '--yes', ...as('carol'), '--json']);
  await both(['sign', await depositOf(dave), '--yes', ...as('dave')]);
  await typed(['send', '-', '--yes', ...as('dave')], { input: await depositOf(dave) });
  const landed = (JSON.parse(sent) as { signature: string }).signature;
  await both(['explain', landed, ...WHERE()]);
  await typed(['undelegate', '--yes', ...as('alice')]);
  await typed(['undelegate', '--yes', ...as('bob'), '--json']);
  await typed(['withdraw', '1', '--yes', ...as('alice')]);
  await typed(['withdraw', '1', '--yes', ...as('bob'), '--json']);
  await expect(told.splice(0).join('\n')).toMatchFileSnapshot('testing/golden/successes.txt');
});

/** Wrong command lines and rejected operations. The addresses of the ledgers are left out. */
const refusedLines = ({ service, base, rollup }: Localnet['urls']): readonly (readonly string[])[] => [
  ...['abc', '-1', '0', '1,5', '1.1234567', '99999999999999999999'].map((amount) => ['deposit', amount]),
  ['deposit', '1.5', '--base-units'],
  ['deposit', '1', '--mint', 'USDC'],
  ['deposit', '1', '--mint', carol.address],
  ['deposit', '1', '--accept', 'HIGH_RENTS'],
  ['deposit', '1', '--max-amount', 'much'],
  ['deposit', '1', '--max-lamports', '0.5'],
  ['deposit', '1', '--service', 'http://127.0.0.1:1'],
  ['deposit', '1', '--service', base],
  ['deposit', '1', '--url', service, '--rollup', rollup],
  ['pay', 'nobody', '1'],
];

it('every refusal matches the recorded output', async () => {
  const { service, base, rollup } = localnet.urls;
  for (const line of refusedLines(localnet.urls)) {
    const url = line.includes('--url') ? [] : ['--url', base, '--rollup', rollup];
    const where = [...url, ...(line.includes('--service') ? [] : ['--service', service])];
    const { code, stdout, stderr } = await type([...line, ...where, '--yes', '-k', file('alice')]);
    expect({ code, stdout }, line.join(' ')).toEqual({ code: expect.any(Number), stdout: '' });
    told.push(masked([`$ spp ${line.join(' ')}`, stderr, `(exit code ${code})`, ''].join('\n')));
  }
  await expect(told.splice(0).join('\n')).toMatchFileSnapshot('testing/golden/refusals.txt');
});

it('transactions that land match the recorded output', async () => {
  for (const verb of ['watch', 'logs']) {
    for (const form of [[], ['--json']]) {
      const { address } = await localnet.createWallet();
      const onLog = (): void => void localnet.fund(address, { sol: 1 });
      await typed([verb, address, '--count', '1', ...WHERE(), ...form], { onLog });
    }
  }
  await expect(told.splice(0).join('\n')).toMatchFileSnapshot('testing/golden/landing.txt');
});

it('findings about the machine match the recorded output', async () => {
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: file('data'),
    PORT: '0',
    LEDGER_RPC_PORT: '0',
    ROLLUP_RPC_PORT: '0',
  };
  const mask = (text: string): string =>
    text
      .replaceAll(/\b\d+\.\d+\.\d+\b/g, '<version>')
      .replaceAll(/loads on \w+ \w+/g, 'loads on <platform>')
      .replaceAll(/\d+ s (?:behind|ahead)/g, '<seconds> s <apart>')
      .replaceAll(
        /how long they are is not told yet|\d+ ms each, so a blockhash lasts about \d+ s/g,
        '<slots>',
      );
  await both(['doctor', ...WHERE()], { env, mask });
  for (const shell of ['bash', 'zsh', 'fish']) await both(['completions', shell]);
  await expect(told.splice(0).join('\n')).toMatchFileSnapshot('testing/golden/machine.txt');
});

it('output about a data folder matches the recorded output', async () => {
  const kept = await startLocalnet({ ...STEADY, dataDir: file('data') });
  await kept.createWallet({ sol: 1, tokens: 5_000_000n });
  await kept.close();
  await both(['ledger', 'verify', file('data')]);
  await typed(['ledger', 'backup', file('one'), '--data-dir', file('data')]);
  await typed(['ledger', 'backup', file('two'), '--data-dir', file('data'), '--json']);
  await typed(['ledger', 'restore', file('one'), '--data-dir', file('new')]);
  await typed(['ledger', 'restore', file('two'), '--data-dir', file('newer'), '--json']);
  expect(existsSync(file('new'))).toBe(true);
  await expect(told.splice(0).join('\n')).toMatchFileSnapshot('testing/golden/ledger.txt');
});
