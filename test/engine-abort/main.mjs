/** The command line's supervisor with a stack that can be made to abort. */
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../dist/ports/clock.js';
import { onStopSignals } from '../../dist/supervisor/stop-signals.js';
import { Supervision } from '../../dist/supervisor/supervision.js';

const entry = fileURLToPath(new URL('abortable-stack.mjs', import.meta.url));
const supervision = new Supervision({ entry, args: process.argv.slice(2), clock: systemClock });
onStopSignals({ first: () => supervision.stop(), again: () => supervision.kill() }, systemClock);
process.exit((await supervision.ended).exitCode);
