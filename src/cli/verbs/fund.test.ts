import { expect, it } from 'vitest';
import { startLocalnet } from '../../localnet/start-localnet.ts';
import { type } from './testing/typed.ts';

it('sends exactly the given lamports (bug: 9007199254740993 became 9007199254740992 as a double)', async () => {
  await using localnet = await startLocalnet();
  const { address } = await localnet.createWallet({ tokens: 1n });
  const at = ['--url', localnet.urls.base, '--rollup', localnet.urls.rollup, '--json'];
  const funded = await type(['fund', address, '--sol', '9007199.254740993', ...at]);
  expect({ code: funded.code, stderr: funded.stderr }).toEqual({ code: 0, stderr: '' });
  const { stdout } = await type(['balance', address, ...at]);
  expect(JSON.parse(stdout)).toMatchObject({ lamports: '9007199254740993' });
});
