/** One setting as the environment gives it. */
export interface Variable<T> {
  readonly name: string;
  /** Text that stands for the variable when it is unset or blank. */
  readonly default: string;
  readonly description: string;
  /** Reads the trimmed text; throws RangeError whose message completes "<NAME> must be ...". */
  readonly parse: (text: string) => T;
}

/** Any text. */
export const parseText = (text: string): string => text;

/** A whole number from `min` to `max`. */
export const parseInteger =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new RangeError(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };

/** One of some words, without regard to case. */
export const parseChoice =
  <Choice extends string>(choices: readonly Choice[]) =>
  (text: string): Choice => {
    const choice = choices.find((candidate) => candidate === text.toLowerCase());
    if (choice === undefined) throw new RangeError(`must be one of: ${choices.join(', ')}`);
    return choice;
  };

/** Texts separated by commas; none for the empty text. */
export const parseList =
  <Item>(parseItem: (text: string) => Item) =>
  (text: string): readonly Item[] =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(parseItem);

/** A host name or an IP address, without port. */
export function parseHostName(text: string): string {
  const isIpv6 = /^\[?[0-9a-fA-F:]*::?[0-9a-fA-F:]*\]?$/.test(text);
  if (!isIpv6 && !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)) {
    throw new RangeError('must be a host name or an IP address, without scheme and port');
  }
  return text;
}

/** An origin as browsers send it: scheme, host and port, nothing after them. */
export function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.origin !== text.replace(/\/$/, '')) {
    throw new RangeError('must be an origin such as https://app.example, without path');
  }
  return url.origin;
}

/** An origin, or null for the empty text. */
export const parseUrlOrigin = (text: string): string | null => (text === '' ? null : parseOrigin(text));
