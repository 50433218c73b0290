import { hasInvisible, quoted } from '../../errors/quoted-text.ts';
import { isAddress } from '../../solana/address.ts';
import { faultsOfHandle, type HandleFault } from '../stealth/handle.ts';
import type { TransferInput } from '../transfer/input.ts';
import { keylessPayee } from '../transfer/warnings.ts';
import type { Finding, FindingCode, FormFinding } from './finding.ts';
import type { ParsedRequest } from './request/check-request.ts';

/** A text can resemble another one, or hide a part of itself, through invisible characters. */
export const textFindings = (what: string, text: string): FormFinding[] =>
  hasInvisible(text)
    ? [
        {
          level: 'caution',
          code: 'INVISIBLE_CHARACTERS',
          message: `The ${what} ${quoted(text)} contains invisible characters.`,
        },
      ]
    : [];

/** Invisible characters have one code, whatever text they occur in. */
const CODE_OF: Readonly<Record<HandleFault['code'], FindingCode>> = {
  HANDLE_INVISIBLE_CHARACTERS: 'INVISIBLE_CHARACTERS',
  HANDLE_NOT_NORMALIZED: 'HANDLE_NOT_NORMALIZED',
  HANDLE_MIXES_SCRIPTS: 'HANDLE_MIXES_SCRIPTS',
};

/** Ways in which a stealth handle resembles another one, which would pay someone else. */
export const handleFindings = (handle: string): FormFinding[] =>
  faultsOfHandle(handle).map(({ code, words }) => ({
    level: 'caution',
    code: CODE_OF[code],
    message: `The stealth handle ${quoted(handle)} ${words}.`,
  }));

/**
 * Findings on the requested payee, whom the bytes may only contain sealed: a stealth handle that resembles
 * another one, or an address that is no wallet.
 */
export function payeeFindings(request: ParsedRequest | null): Finding[] {
  if (request?.operation !== 'transfer') return [];
  const { to } = request.arguments as Pick<TransferInput, 'to'>;
  if (!isAddress(to)) return handleFindings(to);
  const message = keylessPayee(to);
  return message === null ? [] : [{ level: 'caution', code: 'RECIPIENT_KEYLESS', message }];
}
