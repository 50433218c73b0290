import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildOperation, readOperation } from '../../test/conformance/fixture-operations.ts';
import { type InvalidInput, invalidInputs, validInputs } from '../../test/conformance/schema-inputs.ts';
import { SERVED_OPERATIONS } from '../../test/conformance/served-operations.ts';
import { isServiceError } from '../errors/service-error.ts';
import { ANONYMOUS, type Operation } from '../payments/operation.ts';
import { composeExampleInput } from './openapi.ts';
import { OperationGate, type ServedOperation, serveOperation } from './served-operation.ts';

const RUNS = { numRuns: 200 };

const gate = new OperationGate();
const served = ([buildOperation, readOperation, ...SERVED_OPERATIONS] as Operation[]).map((operation) =>
  Object.assign(serveOperation(operation, gate), { name: operation.name }),
);

/**
 * The members that an input with one fault is refused for. What the schema passes on to the operation is
 * tried on the example, which has no other fault.
 */
async function refusedMembers(
  operation: ServedOperation,
  invalid: InvalidInput,
): Promise<readonly unknown[]> {
  const { inputSchema, check, run } = operation;
  const checked = check(invalid.input);
  if (!checked.isValid) return [...new Set(checked.problems.problems.map(({ path }) => path[0]))];
  const passed = check({ ...composeExampleInput(inputSchema), [invalid.member]: invalid.value });
  if (!passed.isValid) return [];
  const failure: unknown = await run(passed.value, ANONYMOUS).then(
    () => undefined,
    (error: unknown) => error,
  );
  return isServiceError(failure) ? [failure.context['field']] : [];
}

describe.each(served)('the input schema of $name', (operation) => {
  it('describes no rejected input', () => {
    fc.assert(
      fc.property(validInputs(operation.inputSchema), (input) => {
        const checked = operation.check(input);
        expect(checked.isValid ? [] : checked.problems.problems).toEqual([]);
      }),
      RUNS,
    );
  });

  it('describes all accepted input: any fault is rejected with its member', () =>
    fc.assert(
      fc.asyncProperty(invalidInputs(operation.inputSchema), async (invalid) => {
        expect(await refusedMembers(operation, invalid), invalid.fault).toEqual([invalid.member]);
      }),
      RUNS,
    ));
});
