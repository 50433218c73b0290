import { describe, expect, it, onTestFinished } from 'vitest';
import { runFuzz } from './fuzz/fuzz.ts';
import { temporaryFolder } from './folders.ts';
import { lengthOf } from './length.ts';
import { callLedger, startStack } from './stack-process.ts';

/** Always the same ones, as the seed is; `npm run fuzz` sends many more. */
const REQUESTS = lengthOf({ short: 4_000, long: 20_000 });

describe('hostile input', () => {
  it(`in ${REQUESTS} bodies does not crash or hang the program, or cause a 5xx`, async () => {
    const stack = await startStack(await temporaryFolder((remove) => onTestFinished(remove)), {
      env: { LOG_LEVEL: 'error' },
    });
    const report = await runFuzz(stack, REQUESTS, 20_261_120);
    expect(report.findings).toEqual([]);
    expect(await callLedger(stack.ledgerUrl, 'getHealth')).toBe('ok');
    expect(await stack.stop()).toMatchObject({ code: 0, stderr: '' });
    // Most mutations must get past the envelope, or the run proves little.
    expect(report.statuses[200]).toBeGreaterThan(REQUESTS / 2);
  }, 900_000);
});
