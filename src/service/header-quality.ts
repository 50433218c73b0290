/**
 * How much a caller wants something by a header that lists what it takes (`Accept`, `Accept-Encoding`): from
 * 0, not at all, to 1; undefined when the header does not name it (RFC 9110 section 12.4.2).
 *
 * @param name in lower case, as it stands in the header without parameters.
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
