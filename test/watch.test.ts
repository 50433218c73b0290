import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type } from '../src/cli/verbs/testing/typed.ts';
import { startLocalnet, type Localnet, type LocalnetWallet } from '../src/localnet/index.ts';
import { deposit, payPrivately } from '../src/localnet/testing/call-localnet.ts';
import { assertProjectBuilt } from './built.ts';
import { folderOfFile } from './folders.ts';
import { MAIN } from './stack-process.ts';

let localnet: Localnet;
let folder: string;
let where: readonly string[];
beforeAll(async () => {
  localnet = await startLocalnet();
  folder = await folderOfFile();
  where = ['--url', localnet.urls.base, '--rollup', localnet.urls.rollup];
});
afterAll(() => localnet.close());

/** The wallet's key in a file, as the commands take it. */
function keyOf(wallet: LocalnetWallet): readonly string[] {
  const file = join(folder, `${wallet.address}.json`);
  writeFileSync(file, JSON.stringify([...wallet.secretKey]));
  chmodSync(file, 0o600);
  return ['-k', file];
}

const linesOf = (stdout: string): readonly string[] => stdout.trimEnd().split('\n');

/** Does something again and again until a command has ended: when it listens is not known. */
async function until<T>(command: Promise<T>, act: () => Promise<unknown>): Promise<T> {
  const ended = new AbortController();
  void command.finally(() => ended.abort());
  while (!ended.signal.aborted) {
    await act();
    await turn();
  }
  return await command;
}

describe('watch', () => {
  it('follows one payment on both ledgers from its signature', async () => {
    const alice = await localnet.createWallet({ sol: 1, tokens: 9_000_000n });
    const bob = await localnet.createWallet({ sol: 1, tokens: 9n });
    const before = await deposit(localnet, bob, 9n);
    const deposited = await deposit(localnet, alice, 9_000_000n);
    const paid = await payPrivately(localnet, alice, bob, 2n);
    const watching = (...more: string[]) => type(['watch', deposited, ...where, ...keyOf(alice), ...more]);
    const past = await watching('--count', '2');
    expect(past).toMatchObject({ code: 0, stderr: 'Listening. Press Ctrl+C to stop.\n' });
    const [first, second] = linesOf(past.stdout);
    expect(first).toMatch(new RegExp(`^base {7}slot \\d+  ${deposited}  ok$`));
    expect(second).toMatch(new RegExp(`^ephemeral  slot \\d+  ${paid}  ok$`));
    expect(past.stdout).not.toContain(before);
    // The same amount again may be the same bytes, which the rollup takes once.
    let amount = 2n;
    const live = await until(watching('--count', '3', '--json'), () =>
      payPrivately(localnet, alice, bob, (amount += 1n)),
    );
    const landed = linesOf(live.stdout).map((each) => JSON.parse(each) as { sendTo: string; err: unknown });
    expect(landed.map(({ sendTo, err }) => [sendTo, err])).toEqual([
      ['base', null],
      ['ephemeral', null],
      ['ephemeral', null],
    ]);
  });

  it('shows transactions that name an address as they land, and failed ones', async () => {
    const { address } = await localnet.createWallet();
    const watched = type(['watch', address, ...where, '--count', '3', '--json']);
    const { code, stdout } = await until(watched, () => localnet.fund(address, { sol: 1 }));
    expect(code).toBe(0);
    const landed = linesOf(stdout).map((each) => JSON.parse(each) as object);
    expect(landed).toHaveLength(3);
    for (const each of landed) expect(each).toMatchObject({ sendTo: 'base', err: null });
  });

  it('shows a stranger nothing of a private rollup, and says what to do', async () => {
    const unknown = '1'.repeat(64);
    const { code, stdout, stderr } = await type(['watch', unknown, ...where]);
    expect({ code, stdout }).toEqual({ code: 65, stdout: '' });
    expect(stderr).toContain('log in with --keypair (SIGNATURE_NOT_FOUND)');
  });

  it('is suggested if explain finds no transaction (bug: it requested the bytes, which the user does not have)', async () => {
    const { code, stderr } = await type(['explain', '1'.repeat(64), ...where]);
    expect(code).toBe(65);
    expect(stderr).toContain('use "watch" with --keypair (SIGNATURE_NOT_FOUND)');
  });

  it('rejects text that is neither a signature nor an address', async () => {
    for (const word of ['0', 'alice', '1'.repeat(65)]) {
      expect((await type(['watch', word, ...where])).code, word).toBe(78);
    }
    expect((await type(['watch', ...where, '--count', '0'])).stderr).toContain('--count needs');
  });

  it('exits with 69 when a ledger no longer answers', async () => {
    const other = await startLocalnet();
    const flags = ['--url', other.urls.base, '--rollup', other.urls.rollup, '--count', '100000'];
    const { address } = await other.createWallet();
    const heard = type(['watch', address, ...flags.slice(0, 4), '--count', '1']);
    const watched = type(['watch', address, ...flags]);
    // Both listen at the same time, or the second one is refused when it asks.
    await until(heard, () => other.fund(address, { sol: 1 }));
    await other.close();
    const { code, stderr } = await watched;
    expect(code).toBe(69);
    expect(stderr).toContain('(UPSTREAM_UNAVAILABLE)');
  });
});

describe('logs', () => {
  it('shows program logs as they land', async () => {
    const { address } = await localnet.createWallet();
    const logs = type(['logs', address, ...where, '--count', '1']);
    const { code, stdout } = await until(logs, () => localnet.fund(address, { sol: 1 }));
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Transaction executed in slot \d+ of base:\n {2}Signature: \w+\n {2}Status: Ok\n/,
    );
    expect(stdout).toContain('    Program 11111111111111111111111111111111 success\n');
  });
});

it.each(['watch', 'logs'])('%s exits when its output is closed, as by head', async (verb) => {
  const { address } = await localnet.createWallet();
  assertProjectBuilt();
  const child = spawn(process.execPath, [MAIN, verb, address, ...where], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout.once('data', () => child.stdout.destroy());
  const exit = await until(once(child, 'exit'), () => localnet.fund(address, { sol: 1 }));
  expect(exit).toEqual([0, null]);
});
