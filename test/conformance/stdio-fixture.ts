/** A process that serves the fixture operations over its stdin and stdout. */
import { silentLogger } from '../../src/ports/logger.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { serveStdio } from '../../src/service/mcp/stdio.ts';
import { FIXTURE_OPERATIONS } from './fixture-operations.ts';

serveStdio({
  operations: FIXTURE_OPERATIONS,
  input: process.stdin,
  output: process.stdout,
  logger: silentLogger,
  random: systemRandom,
});
