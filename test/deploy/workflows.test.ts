import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { findFreePorts } from '../external-validator/free-ports.ts';
import { temporaryFolder } from '../folders.ts';
import { isRunning, MAIN, waitFor } from '../stack-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const RELEASE = read('.github/workflows/release.yml');
const EXAMPLE = read('deploy/github/localnet-test.yml');

/** The script of a step by its name. */
function scriptOf(workflow: string, step: string): string {
  const [, body = ''] = workflow.split(`- name: ${step}\n`);
  const [, indent = '', script = ''] =
    /^ +run: \|\n( +)([\s\S]*?)(?=\n {0,8}\S|\n*$(?![\s\S]))/m.exec(body) ?? [];
  return script.replaceAll(`\n${indent}`, '\n');
}

function checkRelease(tag: string, repository: string): { status: number | null; stderr: string } {
  const args = ['scripts/check-release.mjs', tag, repository];
  return spawnSync('node', args, { cwd: ROOT, encoding: 'utf8' });
}

it.each([
  ['release', RELEASE],
  ["users' CI", EXAMPLE],
])('the workflow for %s pins every action to a commit', (_, workflow) => {
  const used = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  expect(used.length).toBeGreaterThan(1);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
});

describe('the release workflow', () => {
  it('publishes with provenance, after the tests and the image', () => {
    const publish = RELEASE.slice(RELEASE.indexOf('\n  publish:'));
    expect(publish).toContain('needs: [test, image]');
    expect(publish).toContain('npm publish --provenance --access public');
    expect(publish).toContain('id-token: write');
    expect(RELEASE.slice(0, RELEASE.indexOf('\n  publish:'))).not.toMatch(/id-token|secrets\./);
  });

  it('runs scripts that exist', () => {
    for (const [, path = ''] of RELEASE.matchAll(/run: (?:node )?((?:scripts|\.ci)\/\S+)/g)) {
      expect(read(path)).not.toBe('');
    }
  });

  it('rejects a tag that differs from the version', () => {
    const { status, stderr } = checkRelease('v9.9.9', 'https://github.com/o/r');
    expect(status).toBe(1);
    expect(stderr).toContain(`the tag says version 9.9.9, package.json ${manifest.version}\n`);
  });

  it('finds the same version in all files that contain it', () => {
    const { stderr } = checkRelease(`v${manifest.version}`, 'https://github.com/o/r');
    expect(stderr).not.toContain('says version');
  });

  it('rejects a repository that package.json does not name, as npm would after the build', () => {
    const { status, stderr } = checkRelease(`v${manifest.version}`, 'https://github.com/nobody/nothing');
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^package\.json has to name the repository https:\/\/github\.com\/nobody\/nothing /m,
    );
  });
});

describe.skipIf(process.platform === 'win32')("the workflow for users' CI", () => {
  it('starts localnet, waits until it is ready, and stops it', async () => {
    const folder = await temporaryFolder(onTestFinished);
    const port = String(await findFreePorts(1));
    const environment = join(folder, 'github-env');
    writeFileSync(environment, '');
    const play = (script: string, env: Record<string, string> = {}): void => {
      const local = script
        .replaceAll('node_modules/spl-private-payments/dist/bundle/main.js', MAIN)
        .replaceAll(':8787', `:${port}`);
      const ports = { PORT: port, LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
      execFileSync('bash', ['-eo', 'pipefail', '-c', local], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          GITHUB_ENV: environment,
          DATA_DIR: join(folder, 'ledger'),
          ...ports,
          ...env,
        },
        stdio: 'pipe',
      });
    };
    play(scriptOf(EXAMPLE, 'Start localnet'));
    const [, pid = ''] = /^LOCALNET_PID=(\d+)$/m.exec(readFileSync(environment, 'utf8')) ?? [];
    onTestFinished(() => void (isRunning(Number(pid)) && process.kill(Number(pid), 'SIGKILL')));
    play(scriptOf(EXAMPLE, 'Wait until it is ready'), { LOCALNET_PID: pid });
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
    play('kill "$LOCALNET_PID"', { LOCALNET_PID: pid });
    await waitFor(() => !isRunning(Number(pid)));
    expect(EXAMPLE).toContain('run: kill "$LOCALNET_PID"');
  });
});
