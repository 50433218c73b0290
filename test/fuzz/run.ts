import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '../stack-process.ts';
import { runFuzz } from './fuzz.ts';

/**
 * The long run: `npm run fuzz`. Options: FUZZ_REQUESTS (default 1,000,000), FUZZ_SEED (default: the time).
 */

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 1_000_000);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const folder = await mkdtemp(join(tmpdir(), 'spl-fuzz-'));
const stack = await startStack(folder, { env: { LOG_LEVEL: 'error' } });
console.log(`${requests} requests, seed ${seed}`);
const report = await runFuzz(stack, requests, seed);
const { code, stderr } = await stack.stop();
await rm(folder, { recursive: true, force: true });
console.log('answers by status:', report.statuses);
console.log('exit code of the program:', code, stderr);
for (const finding of report.findings) console.log(finding);
process.exitCode = report.findings.length === 0 && code === 0 ? 0 : 1;
