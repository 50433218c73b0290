import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type } from '../src/cli/verbs/testing/typed.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { runApp, type RunningApp } from './client/running-app.ts';
import { folderOfFile } from './folders.ts';

describe.skipIf(LAYOUT_B_FOLDER === null)(`the verbs on the networks' programs (${NO_LAYOUT_B})`, () => {
  let app: RunningApp;
  let file: (name: string) => string;

  beforeAll(async () => {
    app = await runApp(LAYOUT_B_FOLDER ?? '');
    const folder = await folderOfFile();
    file = (name) => join(folder, `${name}.json`);
    for (const name of ['carol', 'dave'])
      expect((await type(['wallet', 'new', '-k', file(name)])).code).toBe(0);
    expect(await as('carol', 'fund', '--tokens', '5', '--sol', '1')).toMatchObject({ code: 0, stderr: '' });
  });
  afterAll(() => app?.close());

  const as = (name: string, verb: string, ...rest: string[]) => {
    const { serviceUrl, ledgerUrl, rollupUrl } = app;
    const service = ['fund', 'balance', 'wallet'].includes(verb) ? [] : ['--service', serviceUrl];
    const places = verb === 'wallet' ? [] : ['--url', ledgerUrl, '--rollup', rollupUrl];
    return type([verb, ...places, ...service, '-k', file(name), ...rest]);
  };

  it('detect the programs of the ledger, list and run the setup of a mint, deposit, and pay privately from base to base', async () => {
    const early = await as('carol', 'deposit', '1', '--yes');
    expect(early).toMatchObject({ code: 65, stdout: '' });
    expect(early.stderr).toContain(
      'Run "init-mint" to set up the mint once for all wallets (VAULT_NOT_INITIALIZED)',
    );
    expect((await as('carol', 'init-mint', '--yes')).stdout).toMatch(/^arrived /);
    expect((await as('carol', 'deposit', '1', '--yes')).stdout).toMatch(/^arrived /);
    const dave = (await type(['wallet', 'show', '-k', file('dave')])).stdout.trim();
    const way = ['--from-balance', 'base', '--to-balance', 'base', '--create-account'];
    expect((await as('carol', 'pay', dave, '1', ...way, '--yes')).stdout).toMatch(/^arrived /);
    expect((await as('dave', 'balance')).stdout).toMatch(/^1 USDC\n/);
  });

  it('report a --layout that differs from the programs of the ledger, and sign nothing', async () => {
    const refused = await as('carol', 'deposit', '1', '--layout', 'a', '--yes');
    expect(refused).toMatchObject({ code: 77, stdout: '' });
    expect(refused.stderr).toMatch(
      /^The ledger runs programs of layout b, but --layout is a: remove it\.\nNothing was signed\. The reasons: \(TRANSACTION_REFUSED\)\n/,
    );
    expect(refused.stderr).toContain('(OTHER_LAYOUT)');
  });
});
