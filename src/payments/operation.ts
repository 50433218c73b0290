import type { z } from 'zod';
import type { Chain } from '../chain/chain.ts';

/** Who asks, as far as an operation may depend on it. */
export interface OperationCaller {
  /** The caller's own bearer token for private reads on a rollup. Passed on, never kept, never logged. */
  readonly token: string | undefined;
}

/** A caller without a token. */
export const ANONYMOUS: OperationCaller = { token: undefined };

/** What came of running an operation. */
export interface OperationResult<Output> {
  readonly output: Output;
  /** Sentences for people: the first is fixed for the operation, further ones say what matters about this result. */
  readonly sentences: readonly string[];
}

/**
 * One operation of the service, told once for MCP and REST: schemas, texts and the function itself. It knows neither.
 *
 * `run` is given what `input` has parsed. It throws ServiceError for what the caller can mend.
 */
export interface Operation<Input = unknown, Output extends object = object> {
  /** What stands before the name, with a dot, in the MCP tool's name; `spl` when left out. */
  readonly namespace?: 'spl' | 'localnet';
  /** camelCase, the part after the namespace in the MCP tool's name. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /**
   * `build` returns an unsigned transaction and `read` only reads a chain: neither changes anything. `send` hands a
   * signed transaction to a ledger. `local` changes what is this process' own, and localnet with it.
   */
  readonly effect: 'build' | 'read' | 'send' | 'local';
  /** Whether it can do anything on a cluster; left out where it can on every one. */
  worksOn?(chain: Chain): boolean;
  /** Sentences about what of it cannot be done on the default cluster, to stand behind the description. */
  clusterNotes?(chain: Chain): readonly string[];
  /** False where it works on no cluster that is configured: it is not shown, and says why when it is asked for. */
  readonly isListed?: boolean;
  run(input: Input, caller: OperationCaller): Promise<OperationResult<Output>>;
}
