/** Exit codes of the program. */
export const EXIT_CODES = {
  /** An orderly end: all requests were answered. */
  done: 0,
  /** A bug. Its stack is printed. */
  fault: 1,
  /** The process crashed too often before it was ready (sysexits.h EX_SOFTWARE). */
  gaveUp: 70,
  /**
   * Another process holds the data folder or, at a restart, a port. A retry may succeed, because that process
   * may end (sysexits.h EX_TEMPFAIL).
   */
  held: 75,
  /** An invalid setting or data folder, which the user can fix (sysexits.h EX_CONFIG). */
  config: 78,
  /** A second signal ended the process immediately, without draining (128 + SIGINT). */
  interrupted: 130,
  /** The process did not shut down in time and was killed (128 + SIGKILL). */
  overdue: 137,
} as const;
