/** The first call of a listener that `listen` is given; `stop` ends the subscription that it answers. */
export function firstCall<T extends unknown[]>(
  listen: (listener: (...args: T) => void) => number,
  stop: (subscription: number) => Promise<void>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const subscription: number = listen((...args) => {
      if (isOver) return;
      isOver = true;
      stop(subscription).then(() => resolve(args), reject);
    });
  });
}

/**
 * Sends again and again until `heard` has its answer: a library does not tell when a subscription is in
 * place.
 */
export async function sendUntil<T, S>(
  heard: Promise<T>,
  send: () => Promise<S>,
): Promise<readonly [T, readonly S[]]> {
  const sent: S[] = [];
  for (;;) {
    sent.push(await send());
    const answer = await Promise.race([heard, Promise.resolve(undefined)]);
    if (answer !== undefined) return [answer, sent];
  }
}
