/** A literal in its parts (RFC 8259 section 6). */
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * A JSON number that no JavaScript number is written like: `1.0`, `1e3`, `9007199254740993`. It keeps its
 * characters, so that whoever uses it decides whether they are the number it would become.
 */
export class NumberLiteral {
  readonly literal: string;

  /** `literal` is a number by the grammar of JSON. */
  constructor(literal: string) {
    this.literal = literal;
  }

  /** The number that it is exactly (`1.0` is 1), undefined when a double would be another one. */
  get exactValue(): number | undefined {
    const value = Number(this.literal);
    return Number.isFinite(value) && normalize(this.literal) === normalize(String(value)) ? value : undefined;
  }
}

/**
 * A number read from the characters of a JSON number: itself where it is written like them, else its literal.
 */
export function readNumber(literal: string): number | NumberLiteral {
  const value = Number(literal);
  return String(value) === literal ? value : new NumberLiteral(literal);
}

/** Sign, significant digits and exponent: the same text for literals of the same value. */
function normalize(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length - (digits.length - significant.length))}`;
}
