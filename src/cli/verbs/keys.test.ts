import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../config/secret.ts';
import { temporaryFolder } from '../../ledger/testing/temporary-folder.ts';
import { ApiKeys } from '../../service/auth/api-keys.ts';
import { InvalidCredentials } from '../../service/auth/caller.ts';
import { openApiKeyStore } from '../../stack/shared-state.ts';
import { createDatabase, NO_POSTGRES } from '../../state/testing/postgres-database.ts';
import { type } from './testing/typed.ts';

const NEVER = { now: () => 0 };

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

describe.each([
  ['the data folder', async () => ({ DATA_DIR: join(temporaryFolder(), 'ledger') }), undefined],
  ['PostgreSQL', async () => ({ STATE_URL: await createDatabase() }), NO_POSTGRES],
] as const)('keys in %s', (_name, openEnv, missing) => {
  it.skipIf(missing)('are created, listed and revoked, as the service sees at once', async () => {
    const env: { readonly DATA_DIR?: string; readonly STATE_URL?: string } = await openEnv();
    const run = (...words: string[]) => type(['keys', ...words], { env });
    const created = await run(
      'create',
      '--name',
      'shop',
      '--scopes',
      'spl:read,spl.deposit,x402.settle',
      '--rate',
      '5',
    );
    expect(created).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/is stored in (\/|the database at STATE_URL)/),
    });
    const key = created.stdout.trim();
    const agent = JSON.parse((await run('create', '--name', 'agent', '--json')).stdout) as Shown;
    expect(agent).toMatchObject({
      name: 'agent',
      id: agent.key.slice(0, 12),
      scopes: ['spl:read', 'spl:build', 'spl:send'],
      rate: null,
    });
    const list = await run('list');
    expect(list.stdout).toMatch(
      /^spp_\S{8} {2}shop {2}spl:read,spl.deposit,x402.settle {2}5\/s {2}\d{4}-.*Z\nspp_.*agent.*\n$/,
    );
    expect(list.stdout + (await run('list', '--json')).stdout).not.toContain(key);

    const url = env.STATE_URL === undefined ? null : new Secret(env.STATE_URL);
    const store = await openApiKeyStore(url, env.DATA_DIR ?? '', false);
    const verify = (given: string) => new ApiKeys(store, NEVER).verify(given);
    expect([...(await verify(key)).scopes]).toEqual(['spl:read', 'spl.deposit', 'x402.settle']);
    expect((await run('revoke', 'shop')).stdout).toBe(`revoked shop (${key.slice(0, 12)})\n`);
    await expect(verify(key)).rejects.toBeInstanceOf(InvalidCredentials);
    await expect(verify(agent.key)).resolves.toBeDefined();
    expect((await run('revoke', agent.id)).code).toBe(0);
    await store.close();
    expect(await run('list')).toEqual({ code: 0, stdout: '', stderr: 'There are no API keys.\n' });
    expect(await run('revoke', 'shop')).toMatchObject({ code: 65, stdout: '' });
  });

  it.skipIf(missing)('have unique names', async () => {
    const env = await openEnv();
    const create = () => type(['keys', 'create', '--name', 'shop'], { env });
    expect((await create()).code).toBe(0);
    expect(await create()).toMatchObject({ code: 65, stdout: '' });
  });
});

it('a database that cannot be reached is named without its user and host', async () => {
  const env = { STATE_URL: 'postgres://somebody:hidden-word@127.0.0.1:1/ledger' };
  const { code, stderr } = await type(['keys', 'list'], { env });
  expect(code).toBe(69);
  expect(stderr).toContain('The database at STATE_URL cannot be used (ECONNREFUSED)');
  expect(stderr).not.toMatch(/hidden-word|somebody|127/);
});
