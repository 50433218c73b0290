/**
 * Limits how often something runs. The first call runs at once. All calls within the next `ms` cause one
 * more run at the end of that time.
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
