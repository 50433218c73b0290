/** Resolves with the arguments of a listener's first call. `stop` ends the subscription. */
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

/** Sends repeatedly until `heard` resolves, because libraries do not report when a subscription is active. */
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
