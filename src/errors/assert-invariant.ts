/**
 * Throws unless an invariant of this program holds. A broken one is a bug: callers see an internal error
 * without detail. The check also runs in production, so it must be cheap, and never about input.
 *
 * @param invariant a constant sentence that states the invariant.
 * @throws {Error} naming the invariant.
 */
export function assertInvariant(holds: boolean, invariant: string): asserts holds {
  if (!holds) throw new Error(`broken invariant: ${invariant}`);
}
