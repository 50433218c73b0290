import type { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import type { SeenSlots } from './seen-slots.ts';

/** The caller of an operation. */
export interface OperationCaller {
  /** The caller's bearer token for private reads on a rollup. It is passed on, but never stored or logged. */
  readonly token: string | undefined;
  /** The wallet with which a person has logged in for exactly this call; absent without such a login. */
  readonly loggedIn?: string | undefined;
  /** The requesting client, as identified by the rate limits; absent if there is only one caller. */
  readonly client?: string | undefined;
  /** The slots that the caller has seen; absent if the caller cannot report them. */
  readonly seen?: SeenSlots | undefined;
}

/** A caller without a token. */
export const ANONYMOUS: OperationCaller = { token: undefined };

/** The result of an operation. */
export interface OperationResult<Output> {
  readonly output: Output;
  /** Sentences for people. The first is fixed per operation; the others describe this result. */
  readonly sentences: readonly string[];
}

/**
 * One operation of the service, defined once for MCP and REST, and independent of both: schemas, texts and
 * function. `run` receives the parsed `input`, and throws ServiceError for problems that the caller can fix.
 */
export interface Operation<Input = unknown, Output extends object = object> {
  /** Namespace of the MCP tool's name, before the dot. Default: `spl`. */
  readonly namespace?: 'spl' | 'localnet';
  /** Name in camelCase; follows the namespace in the MCP tool's name. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** Member names by alternative name, for clients of the hosted API. */
  readonly otherNames?: Readonly<Record<string, string>>;
  /**
   * Arguments that MCP accepts but does not list, because they would fill the context of a model. They are
   * rarely needed options of the hosted API.
   */
  readonly unlisted?: readonly string[];
  /**
   * `build` returns an unsigned transaction and `read` reads a chain; neither changes anything. `send`
   * submits a signed transaction to a ledger. `local` changes state of this process and, through it,
   * localnet.
   */
  readonly effect: 'build' | 'read' | 'send' | 'local';
  /** Whether a cluster supports the operation; absent if all clusters do. */
  worksOn?(chain: Chain): boolean;
  /** Sentences about limits on the default cluster, appended to the description. */
  clusterNotes?(chain: Chain): readonly string[];
  /** Whether to list the operation. If not, no configured cluster supports it, and calls explain why. */
  readonly isListed?: boolean;
  run(input: Input, caller: OperationCaller): Promise<OperationResult<Output>>;
}

/** Infers the types of an operation from its schemas. */
export const defineOperation = <Input, Output extends object>(
  operation: Omit<Operation<Input, Output>, 'run'> & {
    run(input: Input, caller: OperationCaller): Promise<OperationResult<NoInfer<Output>>>;
  },
): Operation<Input, Output> => operation;
