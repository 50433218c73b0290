import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it, type TestContext } from 'vitest';
import { startExternalValidator } from '../../scripts/external-validator/launch.ts';
import type { Recipe } from '../../scripts/external-validator/probe.ts';
import { VERSION_OF, type ValidatorVersion } from '../../scripts/external-validator/versions.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { LOCALNET_VALIDATOR } from '../../src/programs/addresses.ts';
import { temporaryFolder } from '../folders.ts';
import { IS_LONG } from '../length.ts';
import { isRunning, startStack } from '../stack-process.ts';
import { findFreePorts } from './free-ports.ts';

// How the launcher treats a validator that does not do what it should; a scripted process plays it. One that
// hangs is waited for as long as a busy machine may need to answer, so all of them are at the same time.

const SCRIPTED = fileURLToPath(new URL('scripted-validator.mjs', import.meta.url));
const MAIN = fileURLToPath(new URL('../../scripts/external-validator/main.ts', import.meta.url));
const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

const HEADLESS: ValidatorVersion = { ...VERSION_OF.b, hasMagicFeeVault: false };
const recipeOf = (version: ValidatorVersion): Recipe => ({
  version,
  binary: SCRIPTED,
  libraryRoot: null,
  needsShim: false,
});

/** The behavior of the scripted process, as described at its top. */
interface Behavior {
  readonly silent?: readonly string[];
  readonly ignoresSigterm?: boolean;
  readonly lastWords?: string;
}

/** Registers a cleanup function for the end of a test. */
type After = TestContext['onTestFinished'];

/** A place for a scripted validator. */
async function openPlace(onTestFinished: After, behavior: Behavior) {
  const folder = join(await temporaryFolder(onTestFinished), 'validator');
  mkdirSync(folder);
  const behave = (now: Behavior): void => writeFileSync(join(folder, 'behavior.json'), JSON.stringify(now));
  behave(behavior);
  // Nobody asks its base chain for anything.
  const options = { baseUrl: 'http://127.0.0.1:9', port: await findFreePorts(3), folder };
  return { options, behave };
}

/** The process that an error names. */
const pidIn = (text: string): number => Number(/\(process (?<pid>\d+)\)/.exec(text)?.groups?.['pid']);

describe.runIf(IS_LONG).concurrent('the launcher of the external validator', () => {
  it('kills a validator that leaves its first call unanswered and ignores SIGTERM, and names it', async ({
    expect,
    onTestFinished,
  }) => {
    const { options } = await openPlace(onTestFinished, { silent: ['getHealth'], ignoresSigterm: true });
    const limits = { callMsMax: 200, stopMsMax: 200 };
    const starting = startExternalValidator(recipeOf(HEADLESS), { ...options, ...limits });
    const { message } = await starting.then(Object, (error: Error) => error);
    expect(message).toMatch(
      /^MagicBlock's validator 0\.14\.10 \(process \d+\) did not become ready: it did not answer getHealth within 200 ms$/,
    );
    expect(isRunning(pidIn(message))).toBe(false);
  });

  it.for([
    { on: 'without a terminal', version: HEADLESS, canRun: true },
    { on: 'on a terminal', version: VERSION_OF.a, canRun: hasTerminal === true },
  ])(
    'stops and reports a validator $on that hangs after it was ready',
    async ({ version, canRun }, { expect, onTestFinished, skip }) => {
      if (!canRun) return skip('there is no script of util-linux');
      const { options, behave } = await openPlace(onTestFinished, { ignoresSigterm: true });
      const limits = { callMsMax: 5_000, watchMs: 20, stopMsMax: 200 };
      const validator = await startExternalValidator(recipeOf(version), { ...options, ...limits });
      onTestFinished(() => validator.stop());
      expect(validator.identity).toBe(LOCALNET_VALIDATOR);
      expect(isRunning(validator.pid)).toBe(true);
      behave({ silent: ['getSlot'] });
      expect(await validator.ended).toEqual({
        isAsked: false,
        words: `MagicBlock's validator ${version.version} (process ${validator.pid}) hangs: it did not answer getSlot within 5000 ms. It was stopped`,
      });
      expect(isRunning(validator.pid)).toBe(false);
    },
  );

  it('stops a running validator on request', async ({ expect, onTestFinished }) => {
    const { options } = await openPlace(onTestFinished, {});
    const validator = await startExternalValidator(recipeOf(HEADLESS), options);
    await validator.stop();
    expect(await validator.ended).toMatchObject({ isAsked: true });
    expect(isRunning(validator.pid)).toBe(false);
  });

  it('repeats the last output of a validator that exits before it is ready', async ({
    expect,
    onTestFinished,
  }) => {
    const { options } = await openPlace(onTestFinished, { lastWords: 'InsufficientlyFunded' });
    const starting = startExternalValidator(recipeOf(HEADLESS), options);
    await expect(starting).rejects.toThrow(/the validator ended with 3: InsufficientlyFunded$/);
  });
});

describe.runIf(IS_LONG).concurrent('npm run external-validator', () => {
  it('exits with code 1, on the version for the programs of the node, when the validator hangs', async ({
    expect,
    onTestFinished,
    skip,
  }) => {
    const node = await openNode(onTestFinished);
    const { options } = await openPlace(onTestFinished, { silent: ['getHealth'] });
    const args = [...node, '--port', String(options.port), '--folder', options.folder];
    const run = (...more: readonly string[]) => launch([...args, ...more]);
    // Neither starts a validator.
    const [probed, other] = await Promise.all([
      run('--probe', '--version', VERSION_OF.a.version),
      run('--version', VERSION_OF.b.version),
    ]);
    if (probed.code !== 0) return skip(probed.output);
    expect(other.output).toContain('MISSING base chain: validator 0.14.10 supports programs of layout B');
    expect(other.code).toBe(1);

    const hanging = await run();
    expect(hanging.output).toContain('base chain: programs of layout A');
    expect(hanging.output).toMatch(
      /MagicBlock's validator 0\.8\.3 \(process \d+\) did not become ready: it did not answer getHealth within \d+ ms/,
    );
    expect(hanging.code).toBe(1);
    expect(isRunning(pidIn(hanging.output))).toBe(false);
  });

  it("rejects 0.8.3 on the programs of the networks, which it detects on the node's ledger", async ({
    expect,
    onTestFinished,
    skip,
  }) => {
    if (LAYOUT_B_FOLDER === null) return skip(NO_LAYOUT_B);
    const args = await openNode(onTestFinished, { LOCALNET_PROGRAMS: LAYOUT_B_FOLDER });
    const { code, output } = await launch([...args, '--version', VERSION_OF.a.version]);
    expect(output).toContain('ok      base chain: programs of layout B');
    expect(output).toContain('MISSING base chain: validator 0.8.3 supports programs of layout A');
    expect(code).toBe(1);
  });
});

/** Starts a node whose rollup is another program; the options of the command that name it. */
async function openNode(onTestFinished: After, env: Record<string, string> = {}): Promise<string[]> {
  const ledger = join(await temporaryFolder(onTestFinished), 'ledger');
  const rollup = { ROLLUP: 'external', EPHEMERAL_RPC_URL: 'http://127.0.0.1:9' };
  const stack = await startStack(ledger, { env: { ...rollup, ...env } });
  onTestFinished(() => stack.stop().then(() => undefined));
  return ['--base', stack.ledgerUrl];
}

/** Runs the command with the scripted validator to its end. */
function launch(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    env: {
      ...process.env,
      EPHEMERAL_VALIDATOR_BIN: SCRIPTED,
      SCRIPTED_VALIDATOR_VERSION: VERSION_OF.a.version,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
}
