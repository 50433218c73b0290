import { hasInvisible } from '../../errors/quoted-text.ts';
import { mixesScripts } from './single-script.ts';

/** What makes a handle look like another one, in words that follow "the handle". */
const FAULTS = {
  HANDLE_INVISIBLE_CHARACTERS: { isIn: hasInvisible, words: 'has characters that are not seen' },
  HANDLE_NOT_NORMALIZED: {
    isIn: (handle: string): boolean => handle !== handle.normalize('NFC'),
    words: 'is not in Unicode normalization form C, in which it is typed',
  },
  HANDLE_MIXES_SCRIPTS: { isIn: mixesScripts, words: 'mixes letters of several scripts that look alike' },
} as const;

/** One way in which a handle looks like another one. */
export interface HandleFault {
  readonly code: keyof typeof FAULTS;
  /** A clause that follows "the handle". */
  readonly words: string;
}

/** Every way in which a handle looks like another one, which is another pool: handles are compared byte by byte. */
export const faultsOfHandle = (handle: string): HandleFault[] =>
  Object.entries(FAULTS)
    .filter(([, { isIn }]) => isIn(handle))
    .map(([code, { words }]) => ({ code: code as HandleFault['code'], words }));
