/**
 * The search part of a URL, for what a list shows of all rows.
 *
 * @param members by name; null, and what is not so, is left out.
 */
export function searchOf(members: Readonly<Record<string, string | boolean | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members))
    if (value !== null && value !== false) query.set(name, value === true ? '1' : value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
