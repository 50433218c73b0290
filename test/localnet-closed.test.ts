import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertProjectBuilt } from './built.ts';
import { lengthOf } from './length.ts';

/** One after the other, and side by side. */
const ROUNDS = lengthOf({ short: 10, long: 50 });
const BESIDE = 5;

/** After the last of them nothing keeps the process: it ends by itself long before. */
const ENDS_WITHIN_MS = 240_000;

const PROGRAM = fileURLToPath(new URL('localnet-closed/holdings.mjs', import.meta.url));

/** The output of `holdings.mjs`. */
interface Holdings {
  readonly handles: readonly string[];
  readonly files: number | null;
}

type Told = Readonly<Record<'before' | 'afterRounds' | 'duringBeside' | 'afterBeside', Holdings>>;

/** Runs it with its own temporary folder. @throws {Error} if it does not exit. */
async function tell(temporary: string): Promise<Told> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, String(ROUNDS), String(BESIDE)], {
    env: { ...process.env, TMPDIR: temporary },
    timeout: ENDS_WITHIN_MS,
  });
  return JSON.parse(stdout) as Told;
}

describe('a localnet that is closed', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'localnet-closed-'));
  let told: Told;

  beforeAll(async () => {
    assertProjectBuilt();
    told = await tell(temporary);
  });

  afterAll(() => rmSync(temporary, { recursive: true }));

  it(`leaves nothing behind, ${ROUNDS} times in a row`, () => {
    expect(told.afterRounds).toEqual(told.before);
  });

  it(`leaves nothing behind, ${BESIDE} side by side`, () => {
    expect(told.afterBeside).toEqual(told.before);
  });

  it('is visible to this test while it is open', () => {
    expect(told.duringBeside.handles.length).toBeGreaterThan(told.before.handles.length + BESIDE);
    if (told.before.files !== null)
      expect(told.duringBeside.files).toBeGreaterThan(told.before.files + BESIDE);
  });
});
