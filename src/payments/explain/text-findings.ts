import { hasInvisible, quoted } from '../../errors/quoted-text.ts';
import { isAddress } from '../../solana/address.ts';
import { faultsOfHandle, type HandleFault } from '../stealth/handle.ts';
import type { TransferInput } from '../transfer/input.ts';
import { keylessPayee } from '../transfer/warnings.ts';
import { caution, type Finding, type FindingCode } from './finding.ts';
import type { ParsedRequest } from './request/check-request.ts';

/** A text can resemble another one, or hide a part of itself, through invisible characters. */
export const noteFindings = (text: string): Finding[] =>
  hasInvisible(text)
    ? [caution('INVISIBLE_CHARACTERS', `The note ${quoted(text)} contains invisible characters.`)]
    : [];

/** Invisible characters have one code, whatever text they occur in. */
const CODE_OF: Readonly<Record<HandleFault['code'], FindingCode>> = {
  HANDLE_INVISIBLE_CHARACTERS: 'INVISIBLE_CHARACTERS',
  HANDLE_NOT_NORMALIZED: 'HANDLE_NOT_NORMALIZED',
  HANDLE_MIXES_SCRIPTS: 'HANDLE_MIXES_SCRIPTS',
};

/** Ways in which a stealth handle resembles another one, which would pay someone else. */
export const handleFindings = (handle: string): Finding[] =>
  faultsOfHandle(handle).map(({ code, words }) =>
    caution(CODE_OF[code], `The stealth handle ${quoted(handle)} ${words}.`),
  );

/**
 * Findings on the requested payee, whom the bytes may only contain sealed: a stealth handle that resembles
 * another one, or an address that is no wallet.
 */
export function payeeFindings(request: ParsedRequest | null): Finding[] {
  if (request?.operation !== 'transfer') return [];
  const { to } = request.arguments as Pick<TransferInput, 'to'>;
  if (!isAddress(to)) return handleFindings(to);
  const message = keylessPayee(to);
  return message === null ? [] : [caution('RECIPIENT_KEYLESS', message)];
}
