import { expect, it, onTestFinished } from 'vitest';
import { openFakeNode } from './testing/fake-node.ts';
import { type } from './testing/typed.ts';

const SIGNATURE = '3b3f5gySH4E5oo9kgzrsMjkB8JELo5AnPRCFbFYiAY6qaCz6AvviWXuZvqVjSea9vrLr86bYkTujitEGqkbB8nTM';

const OUTPUTS: [string, string[]][] = [
  ['in lines for people', []],
  ['with --json', ['--json']],
];

it.each(OUTPUTS)('escapes control characters of program logs, %s', async (_, flags) => {
  const log =
    'Program log: \u001b]0;owned\u0007\u001b[2J\u009b2J\nTransaction executed in slot 9 of base:\u007f';
  const node = await openFakeNode({
    getGenesisHash: () => 'own',
    logsSubscribe: () => node.notify(20, { signature: SIGNATURE, err: null, logs: [log] }),
  });
  onTestFinished(() => node.close());
  const { code, stdout } = await type(['logs', '--url', node.url, '--count', '1', ...flags]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^[ -~\n]*$/);
  expect(stdout.match(/^Transaction executed/gm) ?? []).toHaveLength(flags.length === 0 ? 1 : 0);
  if (flags.length > 0) expect(JSON.parse(stdout)).toMatchObject({ logs: [log] });
});

it.each(OUTPUTS)('escapes control characters of node errors, %s', async (_, flags) => {
  const node = await openFakeNode({
    getGenesisHash: () => {
      throw new Error('\u001b[2J\u009b2J');
    },
  });
  onTestFinished(() => node.close());
  const { code, stderr } = await type(['logs', '--url', node.url, ...flags]);
  expect(code).toBe(69);
  expect(stderr).toMatch(/^[ -~]+\n$/);
  expect(stderr).toContain(String.raw`\u001b[2J`);
});
