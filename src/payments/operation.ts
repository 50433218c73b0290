import type { z } from 'zod';

/** What came of running an operation. */
export interface OperationResult<Output> {
  readonly output: Output;
  /** Sentences for people: the first is fixed for the operation, further ones say what matters about this result. */
  readonly sentences: readonly string[];
}

/**
 * One thing the service does, told once for every face: schemas, words and the function itself. No face is known here.
 *
 * `run` is given what `input` has parsed. It throws ServiceError for what the caller can mend.
 */
export interface Operation<Input = unknown, Output extends object = object> {
  /** camelCase, the part after `spl.` in the MCP tool's name. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** `build` returns an unsigned transaction, `read` only reads a chain; neither changes anything. */
  readonly effect: 'build' | 'read';
  run(input: Input): Promise<OperationResult<Output>>;
}
