/** The parts of a number literal (RFC 8259, section 6). */
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * A JSON number that JavaScript would print differently: `1.0`, `1e3`, `9007199254740993`. It keeps its
 * source text, so that its user decides whether the nearest double will do.
 */
export class NumberLiteral {
  readonly literal: string;

  /** @param literal a number in JSON's grammar. */
  constructor(literal: string) {
    this.literal = literal;
  }

  /** The number, if a double represents it exactly (`1.0` is 1); otherwise undefined. */
  get exactValue(): number | undefined {
    const value = Number(this.literal);
    return Number.isFinite(value) && normalize(this.literal) === normalize(String(value)) ? value : undefined;
  }
}

/** Parses a JSON number: a number if JavaScript prints it the same, else its literal. */
export function readNumber(literal: string): number | NumberLiteral {
  const value = Number(literal);
  return String(value) === literal ? value : new NumberLiteral(literal);
}

/** Sign, significant digits and exponent: equal text for equal values. */
function normalize(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length - (digits.length - significant.length))}`;
}
