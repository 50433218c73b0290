/**
 * What the marks are judged by. A section hands back those that it measures, each of which belongs to one
 * section; all ratios are of the same run, in alternating rounds.
 */
export interface Figures {
  /** CPU time of web3.js for a program-derived address, over ours. */
  readonly derivation: number;
  /**
   * CPU time of the SDK's builder and web3.js for a deposit, over ours for the same bytes and for the
   * operation.
   */
  readonly depositBytes: number;
  readonly depositOperation: number;
  /** CPU time of the peer for `tools/call spl.deposit`, over ours, and the same of the p99 of latency. */
  readonly depositToPeer: number;
  readonly depositP99ToPeer: number;
  /** CPU time of a request over that of the floor. */
  readonly depositToFloor: number;
  readonly explainToFloor: number;
  readonly toolsListToFloor: number;
  readonly initializeToFloor: number;
  readonly slotToFloor: number;
  /**
   * Requests that a second of CPU time is enough for; simulations also where it would be for 50,000 of the
   * floor.
   */
  readonly floorPerSecond: number;
  readonly simulationsPerSecond: number;
  readonly simulationsPerSecondScaled: number;
  /**
   * The same on an upstream, for wallets never seen; the p50 of a deposit over one connection to that of the
   * upstream alone, and of one that is 20 ms away; and calls of the upstream for a deposit over 32 connections.
   */
  readonly remoteDepositToFloor: number;
  readonly remoteBalanceToFloor: number;
  readonly remoteTransferToFloor: number;
  readonly remoteDepositP50: number;
  readonly remoteDepositP50Far: number;
  readonly upstreamCallsPerDeposit: number;
  /**
   * Deposits that two cores are enough for with two workers, over those one core is with one, by their CPU
   * time.
   */
  readonly twoWorkers: number;
  /** The same where each deposit is of a wallet that no worker has read yet. */
  readonly twoWorkersUnseen: number;
  /** From the start of the supervised stack on a new ledger to its first answer, ms. */
  readonly startMs: number;
  /** The same of `startLocalnet` in a new process, from its first import, and of a reset, ms. */
  readonly localnetStartMs: number;
  readonly localnetResetMs: number;
  /**
   * The longest pause while a full history lets go of what is oldest: the middle one of several batches, ms.
   */
  readonly pruningPauseMs: number;
  /**
   * What a token transfer between accounts that are used again takes in the database beyond its wire bytes,
   * what one to an account that no other names takes, bytes; and CPU time of a read by signature, us.
   */
  readonly historyBytes: number;
  readonly historyNewAccountBytes: number;
  readonly historyReadMicros: number;
  /**
   * CPU time of a private transfer with the undelegation and the settlement it asks for where 10,000 eATAs of
   * the mint are delegated, over that where 100 are.
   */
  readonly settlementGrowth: number;
  /** Share of a core that an idle stack uses. */
  readonly idleShare: number;
  /**
   * With a million accounts: CPU time of a start over that of an empty ledger's; anonymous memory once it has
   * started, and after scans and reads, bytes; and CPU time of a `getProgramAccounts` that finds 10 of the
   * 100,000 accounts of a program, ms a call. The last is of one that finds none in a ledger that has these
   * 100,000 alone.
   */
  readonly fullStartToEmpty: number;
  readonly fullStartedBytes: number;
  readonly fullReadBytes: number;
  readonly programScanMs: number;
  readonly scanMs: number;
  /**
   * Resident memory of the stack with both ledgers: once it has started, and the most in 200,000 requests,
   * bytes.
   */
  readonly startedBytes: number;
  readonly residentBytes: number;
  /** What resident memory grew by in 200,000 requests, once warm, bytes. */
  readonly growthBytes: number;
  /**
   * What memory of no file grew by at the greatest look of these, bytes: without garbage, the young generation
   * and what waits for the database; and the most while requests were served.
   */
  readonly keptGrowthBytes: number;
  readonly anonymousMostGrowthBytes: number;
}
