import type { Random } from '../../../ports/random.ts';

/** 32 characters that are not taken for one another: no I, O, 0 and 1. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** 30 bits: with the few tries that there are, guessing is hopeless. */
const CHARACTERS = 6;

/** A new code to compare, as `ABC-DEF`. */
export function makeCode(random: Random): string {
  // 256 is a multiple of 32, so that every character is as likely.
  const characters = Array.from(random.bytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length] ?? '');
  return `${characters.slice(0, 3).join('')}-${characters.slice(3).join('')}`;
}

/** Whether a code was typed, in whatever case and with whatever between the characters. */
export const isCode = (typed: string, code: string): boolean => lettersOf(typed) === lettersOf(code);

const lettersOf = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
