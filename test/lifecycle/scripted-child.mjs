/**
 * A child for the supervisor. Its n-th start follows the n-th word: `ready` serves until it must stop, `deaf`
 * blocks forever, `stuck` becomes ready, sends a heartbeat and blocks, and `ready+X` becomes ready and then
 * does X. A signal name or an exit code ends it that way. It writes its start message to the file in the
 * first argument.
 */
import { appendFileSync } from 'node:fs';
import { joinSupervisor } from '../../dist/supervisor/host.js';

const [file, ...script] = process.argv.slice(2);
const host = await joinSupervisor();
appendFileSync(file, `${JSON.stringify({ ...host.start, pid: process.pid })}\n`);
const [first, last = first] = (script[host.start.restarts] ?? 'ready').split('+');
if (first === 'ready' || first === 'stuck') host.reportReady({ PORT: 1000 + host.start.restarts });
if (last === 'stuck') {
  host.beat();
  // The messages are sent by the end of the turn.
  setImmediate(() => {
    for (;;);
  });
} else if (last === 'deaf') for (;;);
else if (last === 'ready') host.stopping.addEventListener('abort', () => process.exit(0));
else if (last.startsWith('SIG')) process.kill(process.pid, last);
else process.exit(Number(last));
