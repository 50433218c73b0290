/**
 * Loaded into a program before it starts. Removes the time limits of its shutdown: the drain time of its
 * servers and the limit of its supervisor. On a machine of any speed, it then ends only if no handle is open.
 */
import { HTTP_LIMITS } from '../../dist/http/limits.js';

/** Node's longest delay, 24 days. */
const NEVER_MS = 2 ** 31 - 1;

globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply: (target, self, [run, delayMs, ...words]) =>
    Reflect.apply(target, self, [run, delayMs >= HTTP_LIMITS.drainTimeoutMs ? NEVER_MS : delayMs, ...words]),
});
