import type { FormFinding } from './finding.ts';
import { hasInvisible, quoted } from '../../errors/quoted-text.ts';

/** A text can look like another one, or hide a part, by characters that are not seen. */
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
