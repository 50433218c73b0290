import { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * Compiles the schemas of the listed tools with an independent validator. Returns a function that checks the
 * arguments or the result of a tool, and returns the error or undefined.
 */
export function createSchemaCheck(tools) {
  const ajv = new Ajv2020({ allErrors: true });
  const checks = new Map(
    tools.map(({ name, inputSchema, outputSchema }) => {
      if (outputSchema === undefined) throw new Error(`${name} is listed without an output schema`);
      return [name, { arguments: ajv.compile(inputSchema), result: ajv.compile(outputSchema) }];
    }),
  );
  return (tool, side, value) => {
    const check = checks.get(tool)?.[side];
    if (check === undefined) return 'is not listed';
    return check(value) ? undefined : `${side} against the listed schema: ${ajv.errorsText(check.errors)}`;
  };
}
