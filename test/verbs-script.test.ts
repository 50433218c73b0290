import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'vitest';
import { runInBash } from './examples/bash-session.ts';
import { temporaryFolder } from './folders.ts';
import { childOf, isRunning, MAIN, waitFor } from './stack-process.ts';
import { IS_LONG } from './length.ts';

/** Registers a cleanup function for the end of a test. */
type After = TestContext['onTestFinished'];

/** A start with a ledger that is thrown away, ready; its port file, and what it has printed. */
async function startTemp(folder: string, onTestFinished: After) {
  const ports = join(folder, 'ports.json');
  const args = [MAIN, 'start', '--temp', '--json', '--port-file', ports];
  // Its ports are free ones.
  const env = { PATH: process.env['PATH'] };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  await waitFor(() => stdout.includes('\n') && existsSync(ports));
  return { child, ports, printed: () => stdout };
}

/** The value that a script reads from a JSON line with node. */
const READ = `read_json() { node -p 'JSON.parse(fs.readFileSync(0))[process.argv[1]]' $1; }
spp() { node dist/bundle/main.js "$1" --port-file ports.json "\${@:2}"; }
wallet() { node dist/bundle/main.js wallet "$@"; }
`;

describe.skipIf(process.platform === 'win32')(
  'a shell script (needs bash and curl)',
  { concurrent: true },
  () => {
    it('makes a whole payment on a temporary ledger of start --temp, and reads it as JSON', async ({
      expect,
      onTestFinished,
    }) => {
      const folder = await temporaryFolder(onTestFinished);
      const { child, printed } = await startTemp(folder, onTestFinished);
      const [, life = ''] = await runInBash(folder, [
        READ,
        `
      for NAME in alice bob; do wallet new -k $NAME.json > /dev/null; spp fund -k $NAME.json > /dev/null; done
      BOB=$(wallet show -k bob.json)
      spp deposit 1.5 -k alice.json -y --json | read_json outcome
      spp pay $BOB 0.25 -k alice.json -y --json --from-balance base --to-balance base --public | read_json sendTo
      spp balance -k bob.json --json | read_json uiAmount
      CODE=0; spp deposit 1 -k alice.json < /dev/null 2> refused || CODE=$?; echo $CODE $(wc -l < refused)
      CODE=0; spp balance nobody --json 2> refused || CODE=$?; echo $CODE $(read_json error < refused | grep -c CONFIG_INVALID)
      `,
      ]);
      const places = JSON.parse(printed()) as Record<string, string>;
      expect(Object.keys(places)).toEqual(['service', 'base', 'rollup', 'layout']);
      expect(life.trim().split('\n')).toEqual(['arrived', 'base', '100.25', '77 1', '78 1']);
      expect(existsSync(join(folder, 'ledger-data'))).toBe(false);
      child.kill('SIGTERM');
      await waitFor(() => !existsSync(join(folder, 'ports.json')));
    });

    it.runIf(IS_LONG)('leaves no process and no port file when npx exits', async ({ onTestFinished }) => {
      const folder = await temporaryFolder(onTestFinished);
      const ports = join(folder, 'ports.json');
      const env = { PATH: process.env['PATH'], npm_command: 'exec' };
      // As npx does, by a shell that waits for it and hands no signal on.
      const line = [process.execPath, MAIN, 'start', '--temp', '--port-file', ports];
      const shell = spawn('sh', ['-c', '"$@"; exit $?', 'sh', ...line], {
        cwd: folder,
        env,
        stdio: 'ignore',
      });
      onTestFinished(() => void shell.kill('SIGKILL'));
      await waitFor(() => existsSync(ports));
      const started = childOf(shell.pid as number) as number;
      onTestFinished(() => {
        if (isRunning(started)) process.kill(started, 'SIGKILL');
      });
      shell.kill('SIGTERM');
      await waitFor(() => !isRunning(started) && !existsSync(ports));
    });

    it('reports wrong usage with nothing on stdout', ({ expect }) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'balanse'], { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
      expect(stderr).toContain("Unknown command 'balanse'. Did you mean balance?");
    });
  },
);
