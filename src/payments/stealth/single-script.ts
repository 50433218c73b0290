/** Scripts in everyday use (Unicode UAX #31, table 5, recommended scripts) that are written by themselves. */
const LONE_SCRIPTS = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  'Kannada',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
];

/** Those that are written together (Unicode UTS #39, section 5.1: Hanb, Jpan and Kore). */
const WRITTEN_TOGETHER = [
  ['Han', 'Bopomofo'],
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
];

const SCRIPT_SETS = [...LONE_SCRIPTS.map((script) => [script]), ...WRITTEN_TOGETHER];

const classOf = (scripts: readonly string[]): string =>
  scripts.map((script) => String.raw`\p{Script_Extensions=${script}}`).join('');

/** One for each set of scripts, and one for the scripts that are not in everyday use, which count as one. */
const SINGLE_SCRIPT = [
  ...SCRIPT_SETS.map((scripts) => new RegExp(`^[${classOf([...scripts, 'Common', 'Inherited'])}]*$`, 'u')),
  new RegExp(`^[^${classOf([...new Set(SCRIPT_SETS.flat())])}]*$`, 'u'),
];

/**
 * Whether a text has letters of scripts that are not written together, as one has in which a Cyrillic letter stands for
 * the Latin one that it looks like (Unicode UTS #39, section 5.1, mixed-script detection).
 */
export const mixesScripts = (text: string): boolean => !SINGLE_SCRIPT.some((form) => form.test(text));
