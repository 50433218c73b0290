import { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import { NumberLiteral } from '../json/plain-json.ts';
import { dropAbsentNulls, nameMembers } from '../payments/fields/input-members.ts';
import type { SuggestValue } from '../payments/fields/suggest-value.ts';
import type { Operation, OperationResult } from '../payments/operation.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';
import { type ArgumentProblems, findArgumentProblems } from './input/argument-problems.ts';
import type { JsonObject } from './input/json-object.ts';
import { type ObjectSchema, writeInputSchema, writeOutputSchema } from './input/json-schema.ts';
import { lazily } from './lazily.ts';
import type { Paying, PayingCaller, Receipt, Sale, ShownPrice } from './paid/till.ts';

/**
 * Replaces number literals in a JSON value with JavaScript numbers. A literal that would change its value
 * (0.9999999999999999999 would become 1) becomes NaN, which every schema rejects with its own message.
 */
export function settleNumbers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof NumberLiteral) return value.exactValue ?? Number.NaN;
  if (Array.isArray(value)) return value.map(settleNumbers);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settleNumbers(member)]));
}

type CheckedInput =
  | { readonly isValid: true; readonly value: unknown }
  | { readonly isValid: false; readonly problems: ArgumentProblems };

/**
 * An operation that MCP and REST serve through a gate. Its schemas are written on first use, which throws if
 * they are not objects or have no JSON Schema.
 */
export interface ServedOperation {
  readonly operation: Operation;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  /** Checks a caller's input. An optional member that is null counts as absent. */
  check(input: JsonObject): CheckedInput;
  /** The price of the operation; undefined if it is free. */
  readonly price?: ShownPrice | undefined;
  /**
   * Runs the operation with a checked value. Throws the errors of the operation, the gate and the till. The
   * payment for a call that fails is not settled.
   */
  run(value: unknown, caller: PayingCaller): Promise<ServedResult>;
}

/** The result of an operation, with the proof of its payment if it has a price. */
interface ServedResult extends OperationResult<object> {
  readonly receipt?: Receipt;
}

/**
 * Prepares an operation for MCP and REST. It rejects unknown members even if the schema would drop them,
 * because a misspelled option must not be ignored when money moves.
 *
 * @param suggest suggests replacements for invalid values.
 * @param sell sells the calls of an operation with a price.
 */
export function serveOperation(
  operation: Operation,
  gate: OperationGate,
  suggest?: SuggestValue,
  sell?: SoldOperation,
): ServedOperation {
  const input = operation.input instanceof z.ZodObject ? operation.input.strict() : operation.input;
  const inputSchema = lazily(() => writeInputSchema(input));
  const outputSchema = lazily(() => writeOutputSchema(operation.output));
  return {
    operation,
    get inputSchema() {
      return inputSchema();
    },
    get outputSchema() {
      return outputSchema();
    },
    check(given) {
      const named = nameMembers(operation.otherNames, given);
      const args = dropAbsentNulls(input, settleNumbers(named)) as JsonObject;
      const parsed = input.safeParse(args);
      if (parsed.success) return { isValid: true, value: parsed.data };
      const { issues } = parsed.error;
      return {
        isValid: false,
        problems: findArgumentProblems(issues, { args, schema: inputSchema(), suggest }),
      };
    },
    price: sell?.price,
    async run(value, { paying, ...caller }) {
      const run = (): Promise<OperationResult<object>> => gate.run(() => operation.run(value, caller));
      if (sell === undefined || paying === undefined) return await run();
      const sale = await sell.open(paying());
      const result = await run();
      return { ...result, receipt: await sale.settle() };
    },
  };
}

/** The till for one operation with a price. */
export interface SoldOperation {
  readonly price: ShownPrice;
  readonly open: (paying: Paying) => Promise<Sale>;
}

/** Limits on running operations. */
export interface OperationLimits {
  readonly inFlightMax: number;
  /** Time limit of one operation, in ms. */
  readonly runTimeoutMs: number;
}

/** The default limits. The time limit is twice a patient client's timeout. */
const OPERATION_LIMITS: OperationLimits = { inFlightMax: 256, runTimeoutMs: 30_000 };

/**
 * Limits the number and the duration of running operations across all transports. An operation that hangs on
 * an upstream fails at its time limit. Its late outcome is dropped.
 */
export class OperationGate {
  readonly #limits: OperationLimits;
  readonly #timer: Timer;
  #inFlight = 0;

  constructor(limits: Partial<OperationLimits> = {}, timer: Timer = systemTimer) {
    this.#limits = { ...OPERATION_LIMITS, ...limits };
    this.#timer = timer;
  }

  /**
   * Runs `work` and returns its outcome.
   *
   * @throws {ServiceError} SERVICE_BUSY, without starting `work`, if too many operations run;
   *   OPERATION_TIMEOUT.
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { inFlightMax, runTimeoutMs } = this.#limits;
    if (this.#inFlight >= inFlightMax) return Promise.reject(busy(inFlightMax));
    return new Promise<T>((resolve, reject) => {
      const pending = work();
      let isOver = false;
      const leave = (): void => {
        if (isOver) return;
        isOver = true;
        stop();
        this.#inFlight -= 1;
      };
      this.#inFlight += 1;
      const stop = this.#timer.after(runTimeoutMs, () => {
        leave();
        reject(tooSlow(runTimeoutMs));
      });
      pending.finally(leave).then(resolve, reject);
    });
  }
}

function busy(inFlightMax: number): ServiceError {
  return new ServiceError(
    'SERVICE_BUSY',
    `The service is already running ${inFlightMax} operations, its limit; try again in a second`,
  );
}

function tooSlow(runTimeoutMs: number): ServiceError {
  return new ServiceError(
    'OPERATION_TIMEOUT',
    `The operation did not finish within ${runTimeoutMs / 1_000} s and was stopped; try again later`,
  );
}
