import { hasInvisible } from '../../errors/quoted-text.ts';

/** Scripts in everyday use (Unicode UAX #31, table 5, recommended scripts) that are not mixed with others. */
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

/** Scripts that are used together (Unicode UTS #39, section 5.1: Hanb, Jpan and Kore). */
const WRITTEN_TOGETHER = [
  ['Han', 'Bopomofo'],
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
];

const SCRIPT_SETS = [...LONE_SCRIPTS.map((script) => [script]), ...WRITTEN_TOGETHER];

const classOf = (scripts: readonly string[]): string =>
  scripts.map((script) => String.raw`\p{Script_Extensions=${script}}`).join('');

/** One pattern per set of scripts, and one for all scripts outside everyday use, which count as one. */
const SINGLE_SCRIPT = [
  ...SCRIPT_SETS.map((scripts) => new RegExp(`^[${classOf([...scripts, 'Common', 'Inherited'])}]*$`, 'u')),
  new RegExp(`^[^${classOf([...new Set(SCRIPT_SETS.flat())])}]*$`, 'u'),
];

/**
 * Whether a text mixes scripts that are not used together, for example a Cyrillic letter in place of a
 * similar Latin one (Unicode UTS #39, section 5.1, mixed-script detection).
 */
export const mixesScripts = (text: string): boolean => !SINGLE_SCRIPT.some((form) => form.test(text));

/** How a handle can resemble another one, as clauses after "the handle". */
const FAULTS = {
  HANDLE_INVISIBLE_CHARACTERS: { isIn: hasInvisible, words: 'has characters that are not seen' },
  HANDLE_NOT_NORMALIZED: {
    isIn: (handle: string): boolean => handle !== handle.normalize('NFC'),
    words: 'is not in Unicode normalization form C, in which it is typed',
  },
  HANDLE_MIXES_SCRIPTS: { isIn: mixesScripts, words: 'mixes letters of several scripts that look alike' },
} as const;

/** One way in which a handle resembles another one. */
export interface HandleFault {
  readonly code: keyof typeof FAULTS;
  /** A clause that follows "the handle". */
  readonly words: string;
}

/**
 * All ways in which a handle resembles another one. Handles are compared byte by byte, so the other one has a
 * different pool.
 */
export const faultsOfHandle = (handle: string): HandleFault[] =>
  Object.entries(FAULTS)
    .filter(([, { isIn }]) => isIn(handle))
    .map(([code, { words }]) => ({ code: code as HandleFault['code'], words }));
