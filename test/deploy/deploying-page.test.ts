import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../folders.ts';
import { callLedger, startStack, waitFor, type StackProcess } from '../stack-process.ts';

const ROOT = new URL('../..', import.meta.url);
const PAGE = readFileSync(new URL('docs/deploying.md', ROOT), 'utf8');

const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';

/** The lines of each `bash` block: commands of a server, which the tests of the pages' `sh` blocks do not run. */
const BLOCKS = Array.from(PAGE.matchAll(/^```bash\n([\s\S]*?)^```$/gm), ([, body = '']) =>
  body.trim().split('\n'),
);

/** A server whose folders are in a temporary one, and whose `systemctl` is the test. */
class Server {
  readonly #folder: string;
  stack: StackProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    for (const path of ['var/lib/spl-private-payments', 'var/backups']) {
      mkdirSync(join(folder, path), { recursive: true });
    }
  }

  async run(lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      if (line === 'systemctl stop spl-private-payments') expect((await this.stack?.stop())?.code).toBe(0);
      else if (line === 'systemctl start spl-private-payments') await this.start();
      else execFileSync('bash', ['-ec', line.replaceAll(' /var/', ` ${this.#folder}/var/`)]);
    }
  }

  async start(): Promise<void> {
    this.stack = await startStack(join(this.#folder, 'var/lib/spl-private-payments/ledger'));
  }

  async lamports(): Promise<number> {
    const url = this.stack?.ledgerUrl ?? '';
    return (await callLedger<{ value: number }>(url, 'getBalance', [WALLET])).value;
  }

  async airdrop(lamports: number): Promise<void> {
    const before = await this.lamports();
    await callLedger(this.stack?.ledgerUrl ?? '', 'requestAirdrop', [WALLET, lamports]);
    await waitFor(async () => (await this.lamports()) === before + lamports);
  }
}

describe('docs/deploying.md', () => {
  it('names only files that exist', () => {
    const files = [...PAGE.matchAll(/\bdeploy\/(?!\.env)[\w./-]*\w/g)].map(([file]) => file);
    expect(files.length).toBeGreaterThan(6);
    expect(files.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
  });

  it('installs the unit in the folder that it is started from', () => {
    const unit = readFileSync(new URL('deploy/systemd/spl-private-payments.service', ROOT), 'utf8');
    const [, prefix = '-'] = /npm install --prefix (\S+)/.exec(PAGE) ?? [];
    const [, settings = '-'] = /service\.env\.example (\S+)/.exec(PAGE) ?? [];
    const [, user = '-'] = /useradd .* (\S+)$/m.exec(PAGE) ?? [];
    expect(unit).toMatch(
      new RegExp(`^ExecStart=/usr/bin/node ${prefix}/node_modules/spl-private-payments/dist/`, 'm'),
    );
    expect(unit).toContain(`EnvironmentFile=-${settings}\n`);
    expect(unit).toContain(`User=${user}\n`);
  });

  it.skipIf(process.platform === 'win32')('has commands that restore a backup', async () => {
    const [backup, restore] = BLOCKS.filter((lines) => lines.some((line) => line.startsWith('cp ')));
    const server = new Server(await temporaryFolder(onTestFinished));
    await server.start();
    onTestFinished(async () => void (await server.stack?.stop()));
    await server.airdrop(1_000_000_000);
    await server.run(backup ?? []);
    await server.airdrop(2_000_000_000);
    expect(await server.lamports()).toBe(3_000_000_000);
    await server.run(restore ?? []);
    expect(await server.lamports()).toBe(1_000_000_000);
  });
});
