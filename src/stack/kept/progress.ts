/** Told now and then how far something is. */
export type TellProgress = (what: string, done: number) => void;

/** Things that are done before others have their turn, and progress is told. */
const AT_ONCE = 1_024;

/**
 * Passes things on, and lets others have their turn now and then: signals, and the lock that has to be
 * touched.
 */
export async function* inTurns<T>(things: Iterable<T>, what: string, tell: TellProgress): AsyncIterable<T> {
  let done = 0;
  for (const thing of things) {
    yield thing;
    done++;
    if (done % AT_ONCE > 0) continue;
    tell(what, done);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
