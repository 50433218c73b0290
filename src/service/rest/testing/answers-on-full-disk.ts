import { join } from 'node:path';
import { systemClock } from '../../../ports/clock.ts';
import { type Logger, silentLogger } from '../../../ports/logger.ts';
import { DiskAnswers } from '../disk-answers.ts';
import { digestUse, IdempotencyKeys } from '../idempotency-keys.ts';

/** More than the largest file that this process may write. */
const ANSWERS = 400;
const BODY = 'x'.repeat(4_000);

/**
 * A process that may write no large files answers requests with keys, repeats all of them, and closes.
 * Writes one line of JSON: how many were carried out again, what was logged as an error, and that it closed.
 *
 *   node answers-on-full-disk.mjs FOLDER
 */
const errors: string[] = [];
const logger = {
  ...silentLogger,
  error: (_: unknown, text: string) => errors.push(text),
} as unknown as Logger;
const [folder = '.'] = process.argv.slice(2);
const answers = new DiskAnswers({ file: join(folder, 'answers.mdb'), clock: systemClock, logger });
const keys = new IdempotencyKeys(answers);

/** How many of the requests are carried out, and answered. */
async function ask(): Promise<number> {
  let carriedOut = 0;
  for (let n = 0; n < ANSWERS; n++) {
    const claim = keys.claim(digestUse([`key ${n}`], n));
    if (claim.kind !== 'new') continue;
    carriedOut++;
    await claim.settle({ status: 200, body: BODY });
  }
  return carriedOut;
}

const first = await ask();
// Once it was tried to write them.
while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
const again = await ask();
await answers.close();
process.stdout.write(JSON.stringify({ first, again, errors }));
