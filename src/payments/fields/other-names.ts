/**
 * Gives members their own names that came under another one. If both names are given the other one stays, for
 * the schema to refuse.
 *
 * @param otherNames by other name, the member's own.
 */
export function nameMembers<Input>(
  otherNames: Readonly<Record<string, string>> | undefined,
  input: Input,
): Input {
  if (otherNames === undefined || typeof input !== 'object' || input === null) return input;
  const members = Object.entries(input).map(([name, value]) => {
    const own = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
    return [own === undefined || Object.hasOwn(input, own) ? name : own, value] as const;
  });
  return Object.fromEntries(members) as Input;
}
