/** Signals that ask for an orderly end. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Calls `first` at the first signal that asks for an end, `again` at every further one: somebody will not wait. */
export function onStopSignals(first: () => void, again: () => void): void {
  let isSignalled = false;
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (isSignalled) return again();
      isSignalled = true;
      return first();
    });
  }
}
