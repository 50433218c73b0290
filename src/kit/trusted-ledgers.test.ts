import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { privatePayments } from './plugin.ts';
import { openTrustedLedgers } from './trusted-ledgers.ts';

const url = 'http://127.0.0.1:1';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the nodes that a client names', () => {
  it.each(['http://a:%zz@127.0.0.1/', 'https://%zz@127.0.0.1/', 'http://a:%ff@127.0.0.1/'])(
    'are rejected at once if their user or password cannot be decoded, without showing it: %s',
    (node) => {
      for (const places of [{ base: node }, { base: url, rollup: node }]) {
        const open = () => openTrustedLedgers({ url, ...places });
        expect(open).toThrow(TypeError);
        expect(open).toThrow(/^(base|rollup) must encode each % in its user/);
      }
    },
  );

  it('have http URLs, in upper or lower case', () => {
    expect(() => openTrustedLedgers({ url, base: 'ftp://127.0.0.1' })).toThrow(
      'base must be the http(s) URL',
    );
    openTrustedLedgers({ url, base: 'HTTP://a:%25@127.0.0.1:1' }).close();
  });
});

it('a script reports that its node is down (bug: it exited silently between two tries, with code 13)', async () => {
  const script = `
    import { openTrustedLedgers } from './src/kit/trusted-ledgers.ts';
    const { clusters } = openTrustedLedgers({ url: '${url}', base: '${url}' });
    await clusters.resolve(undefined).latestBlockhash().catch(({ code }) => console.log(code));`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  expect(stdout).toBe('UPSTREAM_UNAVAILABLE\n');
});

describe('a client without a rollup', () => {
  const wallet = { address: '3H79nfP3ZZn99BsCoVuGAenoHH5NZFSBueeCWpWtJQdX' };
  const { payments } = privatePayments({ url, base: url })({ payer: wallet as never });
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

  it.each([
    ['a deposit', () => payments.deposit({ amount: 1n })],
    ['a private payment', () => payments.transfer({ to: wallet.address, mint, amount: 1n })],
    ['an undelegation', () => payments.undelegate({ mint })],
    ['a private balance', () => payments.privateBalance({ mint })],
  ])('names the missing option for %s and sends no request', async (_, act) => {
    await expect(act()).rejects.toMatchObject({
      code: 'UNSUPPORTED_ON_CLUSTER',
      message: expect.stringMatching(/Pass rollup \(--rollup on the command line\).*usually http:\/\/127/),
    });
  });
});
