/**
 * Throws if an invariant of this program is broken. That is a bug, so callers see an internal error without
 * detail. Use it for cheap checks, because it also runs in production, and never for input.
 *
 * @param invariant a constant sentence that states the invariant.
 * @throws {Error} with the invariant.
 */
export function assertInvariant(holds: boolean, invariant: string): asserts holds {
  if (!holds) throw new Error(`broken invariant: ${invariant}`);
}
