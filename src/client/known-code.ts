import { SERVICE_CODES } from './generated.ts';
import type { PaymentsErrorCode } from './payments-error.ts';

const KNOWN: ReadonlySet<string> = new Set(SERVICE_CODES);

/** The code of a service's answer, as this client's table has it. */
export const knownCode = (code: string): PaymentsErrorCode =>
  KNOWN.has(code) ? (code as PaymentsErrorCode) : 'UNKNOWN_CODE';
