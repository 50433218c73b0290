/**
 * Loaded into a program before it starts: whatever cuts its end off after a while, the drain of its servers and
 * the patience of its supervisor, never does. Then it ends because nothing holds it, on a machine of any speed,
 * or not at all.
 */
import { HTTP_LIMITS } from '../../dist/http/limits.js';

/** Node's longest delay, 24 days. */
const NEVER_MS = 2 ** 31 - 1;

globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply: (target, self, [run, delayMs, ...words]) =>
    Reflect.apply(target, self, [run, delayMs >= HTTP_LIMITS.drainTimeoutMs ? NEVER_MS : delayMs, ...words]),
});
