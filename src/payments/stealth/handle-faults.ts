import { hasInvisible } from '../../errors/quoted-text.ts';
import { mixesScripts } from './single-script.ts';

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
