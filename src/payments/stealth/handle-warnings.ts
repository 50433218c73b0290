import { hasInvisible, quoted } from '../../errors/quoted-text.ts';
import type { Warning } from '../building/built-transaction.ts';
import { mixesScripts } from './single-script.ts';

/** What makes a handle look like another one, which is another pool: handles are compared byte by byte. */
export function warnOfHandle(handle: string): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, fault: string): unknown =>
    warnings.push({
      code,
      message: `The stealth handle ${quoted(handle)} ${fault}: make sure that it is the very handle that is meant.`,
    });
  if (hasInvisible(handle)) warn('HANDLE_INVISIBLE_CHARACTERS', 'has characters that are not seen');
  if (handle !== handle.normalize('NFC')) {
    warn('HANDLE_NOT_NORMALIZED', 'is not in Unicode normalization form C, in which it is typed');
  }
  if (mixesScripts(handle)) warn('HANDLE_MIXES_SCRIPTS', 'mixes letters of several scripts that look alike');
  return warnings;
}
