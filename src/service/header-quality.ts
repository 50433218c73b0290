/**
 * The quality value of an item in a header such as `Accept` or `Accept-Encoding`: from 0 (not acceptable) to
 * 1; undefined if the header does not list it (RFC 9110 section 12.4.2).
 *
 * @param name lower case, as listed in the header without parameters.
 */
export function qualityOf(header: string | undefined, name: string): number | undefined {
  for (const item of (header ?? '').toLowerCase().split(',')) {
    const [named = '', ...parameters] = item.split(';').map((part) => part.trim());
    if (named !== name) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = Number(weight?.slice(2) ?? 1);
    return quality >= 0 && quality <= 1 ? quality : 0;
  }
  return undefined;
}
