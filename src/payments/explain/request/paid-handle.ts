import { isAddress } from '../../../solana/address.ts';
import type { TransferInput } from '../../transfer/request/transfer-input.ts';
import type { Finding } from '../finding.ts';
import { handleFindings } from '../text-findings.ts';
import type { ParsedRequest } from './check-request.ts';

/**
 * What makes the stealth handle of a transfer resemble another one. The bytes only contain its pool, sealed.
 */
export function paidHandleFindings(request: ParsedRequest | null): Finding[] {
  if (request?.operation !== 'transfer') return [];
  const { to } = request.arguments as Pick<TransferInput, 'to'>;
  return isAddress(to) ? [] : handleFindings(to);
}
