import { spawn, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** Programs that every session needs. */
const PROGRAMS = ['bash', 'curl'];

/** Timeout of a session, in ms. Each command starts a process, which takes long on a busy machine. */
const SESSION_MS_MAX = 240_000;

/** Separates the outputs of two scripts. */
const END_OF_SCRIPT = '----- end of script -----';

/**
 * Makes `npx tool` run the project's copy of a tool without the network. The first failure ends the session.
 */
const PRELUDE = `set -euo pipefail\nnpx() { "${join(REPOSITORY, 'node_modules/.bin')}/$1" "\${@:2}"; }\n`;

/**
 * Runs shell scripts in one bash session, which keeps variables, and resolves to their outputs. They run in
 * `folder`, which has access to the project's build.
 *
 * @throws {Error} if bash or curl is missing, a command fails, or the session takes longer than four minutes.
 */
export async function runInBash(
  folder: string,
  scripts: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  for (const program of PROGRAMS) {
    if (spawnSync(program, ['--version']).status !== 0) throw new Error(`${program} is not installed`);
  }
  symlinkSync(join(REPOSITORY, 'dist'), join(folder, 'dist'));
  const session = [PRELUDE, ...scripts.map((script) => `${script}\nprintf '%s\\n' '${END_OF_SCRIPT}'\n`)];
  const { code, stdout, stderr } = await run(session.join(''), folder, env);
  const printed = stdout.split(`${END_OF_SCRIPT}\n`).slice(0, -1);
  if (code !== 0) {
    throw new Error(`the commands ended with ${code} in script ${printed.length + 1}:\n${stdout}\n${stderr}`);
  }
  return printed;
}

function run(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const bash = spawn('bash', ['-c', script], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: cwd, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: SESSION_MS_MAX,
    });
    let [stdout, stderr] = ['', ''];
    bash.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    bash.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    bash.once('error', reject).once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
