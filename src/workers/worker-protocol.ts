import type { ReportedCall } from '../console/calls/logged-call.ts';
import type { MetricText } from '../metrics/registry.ts';
import type { ChainCalls, RemoteChainFacts } from './chain-calls.ts';
import type { LimitCalls } from './limit-calls.ts';

/** The calls from the primary to a worker, in this order. */
export interface WorkerCalls {
  /** Binds the shared port and answers 503 for now; returns the URL. */
  listen(port: number): Promise<string>;
  /**
   * Prepares the service. `facts` describe the chain in the primary; null where there is none. At
   * `consolePort` of the loopback interface the primary serves the console; null where it has none.
   */
  prepare(facts: RemoteChainFacts | null, consolePort: number | null): Promise<void>;
  /** Starts serving. */
  serve(): void;
  /** Its metrics. */
  measure(): readonly MetricText[];
  /** Answers requests in flight, then exits. Comes at any time. */
  stop(): void;
}

/** The calls from a worker that answer probes of the whole stack. */
export interface ProbeCalls {
  /** Why the stack is not ready; undefined when it is. */
  unreadiness(): string | undefined | Promise<string | undefined>;
  /** The metrics of all processes. */
  metrics(): Promise<string>;
}

/** The call from a worker that lists what it has answered. */
export interface CallListCalls {
  /** `skipped` came before these and are more than the list keeps. */
  noteCalls(calls: readonly ReportedCall[], skipped: number): void;
}

/** The first message of a worker: it listens. Messages sent to it earlier are lost. */
export interface JoinMessage {
  readonly kind: 'joined';
}

/** All calls from a worker to the primary. Those of the chain are missing where there is none. */
export type PrimaryCalls = ChainCalls & LimitCalls & ProbeCalls & CallListCalls;
