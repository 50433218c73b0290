/** The codes the program ends with. */
export const EXIT_CODES = {
  /** Everything that was asked is answered. */
  done: 0,
  /** A bug; its stack is printed. */
  fault: 1,
  /** It died again and again before it was ready (sysexits.h EX_SOFTWARE). */
  gaveUp: 70,
  /**
   * Another process holds the data folder or, at a restart, a port. It may end by itself: that is worth
   * another try (sysexits.h EX_TEMPFAIL).
   */
  held: 75,
  /** A setting or the data folder that the user can mend (sysexits.h EX_CONFIG). */
  config: 78,
  /** A second signal: it ended at once, without the drain (128 + SIGINT). */
  interrupted: 130,
  /** It was still busy long after it was told to stop, and was killed (128 + SIGKILL). */
  overdue: 137,
} as const;
