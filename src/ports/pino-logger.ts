import { destination, pino } from 'pino';
import type { Logger } from './logger.ts';

/** Members that pino redacts, up to two levels deep, if one is ever logged. */
const SECRET_MEMBERS = [
  'authorization',
  'token',
  'secretKey',
  'secret',
  'password',
  'privateKey',
  'seed',
  'url',
];

/** Creates a logger that writes JSON lines of at least `level` to stderr. */
export function createPinoLogger(level: string): Logger {
  const paths = SECRET_MEMBERS.flatMap((member) => [member, `*.${member}`, `*.*.${member}`]);
  return pino(
    { level, base: null, redact: { paths, censor: '[redacted]' } },
    destination({ fd: 2, sync: true }),
  );
}
