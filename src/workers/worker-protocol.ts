import type { MetricText } from '../metrics/registry.ts';
import type { ChainCalls, RemoteChainFacts } from './chain-calls.ts';
import type { LimitCalls } from './limit-calls.ts';

/** What a worker does for the primary, in this order. */
export interface WorkerCalls {
  /** Takes its share of the port of all workers, whose requests it answers with 503 for now; answers the URL. */
  listen(port: number): Promise<string>;
  /** Gets everything ready. `facts` are those of the chain in the primary, null where there is none. */
  prepare(facts: RemoteChainFacts | null): Promise<void>;
  /** Serves requests from now on. */
  serve(): void;
  /** Its figures as of now. */
  measure(): readonly MetricText[];
  /** Answers what is in flight, then ends the process. Comes at any time. */
  stop(): void;
}

/** What a worker asks about the whole stack, for those who operate it. */
export interface ProbeCalls {
  /** Why requests should go elsewhere for now; undefined when they may come. */
  unreadiness(): string | undefined | Promise<string | undefined>;
  /** The figures of all processes. */
  metrics(): Promise<string>;
}

/** What a worker says first: that it hears. What is sent to it before is lost. */
export interface JoinMessage {
  readonly kind: 'joined';
}

/** Everything that a worker may ask of the primary. Those of the chain are left out where it has none. */
export type PrimaryCalls = ChainCalls & LimitCalls & ProbeCalls;
