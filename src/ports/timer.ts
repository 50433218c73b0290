/** Runs a function once, later. Tests inject their own and advance it by hand. */
export interface Timer {
  /** Runs `run` after `delayMs`, unless the returned function is called first. */
  after(delayMs: number, run: () => void): () => void;
}

/** The machine's timer for work that a caller waits for. Pending work keeps the process alive. */
export const waitingTimer: Timer = {
  after(delayMs, run) {
    const timeout = setTimeout(run, delayMs);
    return () => clearTimeout(timeout);
  },
};

/** The machine's timer. Pending work does not keep the process alive. */
export const systemTimer: Timer = {
  after(delayMs, run) {
    const timeout = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timeout);
  },
};
