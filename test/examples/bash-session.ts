import { spawn, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** What every session needs of the machine. */
const PROGRAMS = ['bash', 'curl'];

/** Each command of the project is a process of its own, which takes long to start on a busy machine. */
const SESSION_MS_MAX = 240_000;

/** Separates what one script prints from what the next one does. */
const END_OF_SCRIPT = '----- end of script -----';

/**
 * `npx tool` runs the project's own copy of the tool, which needs no network. The first failure ends the
 * session.
 */
const PRELUDE = `set -euo pipefail\nnpx() { "${join(REPOSITORY, 'node_modules/.bin')}/$1" "\${@:2}"; }\n`;

/**
 * Runs shell scripts one after another in one bash, so that variables live on, and resolves to what each of
 * them printed. They run in `folder`, where they find the project's build as in the project's own.
 *
 * @throws Error when bash or curl is missing, a command fails, or all together take longer than four minutes.
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
