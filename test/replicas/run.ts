// Runs three replicas of the built program behind haproxy, with one PostgreSQL and one Redis, under load:
// `tsx test/replicas/run.ts [--seconds 600] [--seed text]`. Replicas are killed and restarted every 5 s, and
// the servers are cut off in turn. At the end, the replicas are restarted one after the other. Prints what
// was violated as a table, and exits with 1 if anything was. Needs the build.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { missingPrograms } from '../../src/state/testing/server-process.ts';
import { runReplicas } from './scene.ts';

const PROGRAMS = ['postgres', 'initdb', 'pg_isready', 'redis-server', 'redis-cli', 'haproxy'];

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, seed: { type: 'string', default: 'replicas' } },
});
const missing = missingPrograms(...PROGRAMS);
if (missing === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'spl-replicas-'));
  const { checks, figures } = await runReplicas({
    folder,
    seed: values.seed,
    seconds: Number(values.seconds),
  });
  rmSync(folder, { recursive: true, force: true });
  console.log(JSON.stringify(figures, null, 2));
  console.log('| | invariant | seen | allowed |\n|---|---|---|---|');
  for (const { name, seen, allowed, isKept } of checks) {
    console.log(`| ${isKept ? 'PASS' : 'FAIL'} | ${name} | ${seen} | ${allowed} |`);
  }
  process.exitCode = checks.every(({ isKept }) => isKept) ? 0 : 1;
} else console.log(`Skipped: ${missing}.`);
