import { describe, expect, it } from 'vitest';
import { type } from './testing/typed.ts';
import { flagsOf, VERBS } from './verb-table.ts';

describe.each(Object.entries(VERBS))('%s --help', (name, verb) => {
  it('shows the arguments and every option in 100 columns', async () => {
    const { code, stdout, stderr } = await type([name, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: spl-private-payments ${`${name} ${verb.words}`.trim()}\n`);
    for (const [flag] of flagsOf(verb)) expect(stdout).toMatch(new RegExp(` --${flag}( |\n)`));
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});

it('wallet --help', async () => {
  expect((await type(['wallet', '-h'])).stdout).toMatchInlineSnapshot(`
    "Usage: spl-private-payments wallet new | show | sign-message TEXT

    Create a wallet, print its address, or sign a text with it (base58).

    Options:
      -k, --keypair FILE          key file of the wallet, as solana-keygen writes it (default:
                                  ~/.config/solana/id.json)
          --json                  one line of JSON on stdout; errors on stderr
      -h, --help                  print this text and exit
    "
  `);
});
