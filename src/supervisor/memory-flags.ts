/**
 * How the process that serves is told to be sparing with memory; none of it was seen to cost CPU time.
 *
 * V8 by itself lets new objects take three times 16 MiB before it tidies up, and old ones four times what is
 * alive (`node --v8-options`). glibc gives every thread of the engine and the database an arena of its own to
 * allocate from, which hold on to what was freed (mallopt(3), M_ARENA_MAX); all that counts is allocated by
 * one thread.
 */
export const MEMORY_FLAGS: readonly string[] = ['--max-semi-space-size=8', '--heap-growing-percent=100'];

/** The same for glibc, as environment. */
export const MEMORY_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };
