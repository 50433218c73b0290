/**
 * Throws if an invariant of this program is broken. This is a bug, so callers get an internal error without
 * details. Use it only for cheap checks, because it also runs in production, and never for input.
 *
 * @param invariant a constant sentence that states the invariant.
 * @throws {Error} with the invariant as its message.
 */
export function assertInvariant(holds: boolean, invariant: string): asserts holds {
  if (!holds) throw new Error(`broken invariant: ${invariant}`);
}
