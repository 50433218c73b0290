import { hasInvisible, quoted } from '../../errors/quoted-text.ts';
import { faultsOfHandle, type HandleFault } from '../stealth/handle-faults.ts';
import type { FindingCode } from './finding-codes.ts';
import type { FormFinding } from './finding.ts';

/** A text can resemble another one, or hide a part of itself, through invisible characters. */
export const textFindings = (what: string, text: string): FormFinding[] =>
  hasInvisible(text)
    ? [
        {
          level: 'caution',
          code: 'INVISIBLE_CHARACTERS',
          message: `The ${what} ${quoted(text)} has characters that are not seen when it is shown.`,
        },
      ]
    : [];

/** Invisible characters have one code, whatever text they occur in. */
const CODE_OF: Readonly<Record<HandleFault['code'], FindingCode>> = {
  HANDLE_INVISIBLE_CHARACTERS: 'INVISIBLE_CHARACTERS',
  HANDLE_NOT_NORMALIZED: 'HANDLE_NOT_NORMALIZED',
  HANDLE_MIXES_SCRIPTS: 'HANDLE_MIXES_SCRIPTS',
};

/** What makes a stealth handle resemble another one, which would pay someone else. */
export const handleFindings = (handle: string): FormFinding[] =>
  faultsOfHandle(handle).map(({ code, words }) => ({
    level: 'caution',
    code: CODE_OF[code],
    message: `The stealth handle ${quoted(handle)} ${words}.`,
  }));
