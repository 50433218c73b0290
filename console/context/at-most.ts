/**
 * Runs something at once, and again only after a while, however often it is asked for: what is asked for
 * meanwhile is one further run at its end.
 *
 * @param after calls `then` after `ms`.
 */
export function atMostEvery(
  ms: number,
  after: (ms: number, then: () => void) => void,
  run: () => void,
): () => void {
  let isResting = false;
  let isAsked = false;
  const ask = (): void => {
    isAsked = isResting;
    if (isResting) return;
    isResting = true;
    after(ms, () => {
      isResting = false;
      if (isAsked) ask();
    });
    run();
  };
  return ask;
}
