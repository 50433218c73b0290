/** Runs something later, once. Tests give their own, which they move by hand. */
export interface Timer {
  /** Runs `run` after `delayMs`, unless the function that is answered is called before. */
  after(delayMs: number, run: () => void): () => void;
}

/** The machine's timer for what somebody waits for: the process lives until it has run. */
export const waitingTimer: Timer = {
  after(delayMs, run) {
    const timeout = setTimeout(run, delayMs);
    return () => clearTimeout(timeout);
  },
};

/** The machine's timer. What it still has to run does not keep the process alive. */
export const systemTimer: Timer = {
  after(delayMs, run) {
    const timeout = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timeout);
  },
};
