import { keylessPayee } from '../../transfer/request/keyless-payee.ts';
import type { TransferInput } from '../../transfer/request/transfer-input.ts';
import type { Finding } from '../finding.ts';
import type { ParsedRequest } from './check-request.ts';

/** A payee that is no wallet. The bytes may only contain its address sealed. */
export function paidPayeeFindings(request: ParsedRequest | null): Finding[] {
  if (request?.operation !== 'transfer') return [];
  const { to } = request.arguments as Pick<TransferInput, 'to'>;
  const message = keylessPayee(to);
  return message === null ? [] : [{ level: 'caution', code: 'RECIPIENT_KEYLESS', message }];
}
