import { isSignature, decodeBase64 } from '../parts/encodings.ts';
import type { PaymentRequest } from '../payments/proposal.ts';

/** Parsed input. */
export type ReadInput =
  | { readonly kind: 'empty' }
  | { readonly kind: 'transaction'; readonly transactionBase64: string; readonly bytes: number }
  | { readonly kind: 'signature'; readonly signature: string }
  | { readonly kind: 'request'; readonly request: PaymentRequest }
  | { readonly kind: 'unreadable'; readonly why: string };

/** Operations whose requests the page can build. */
const OPERATIONS = new Set(['deposit', 'transfer', 'undelegate', 'withdraw']);

/** Parses pasted text: a request as JSON, a signature in base58, or a transaction in base64. */
export function readInput(text: string): ReadInput {
  const typed = text.trim();
  if (typed === '') return { kind: 'empty' };
  if (typed.startsWith('{')) {
    const request = readRequest(typed);
    return typeof request === 'string' ? { kind: 'unreadable', why: request } : { kind: 'request', request };
  }
  if (isSignature(typed)) return { kind: 'signature', signature: typed };
  const bytes = decodeBase64(typed);
  if (bytes === null || bytes.length < 100) {
    return {
      kind: 'unreadable',
      why: 'This is not a base64 transaction, a signature, or a request in JSON.',
    };
  }
  return { kind: 'transaction', transactionBase64: typed.replaceAll(/\s+/g, ''), bytes: bytes.length };
}

/** Parses a request, or returns why it is invalid. Amounts may be numbers or decimal strings. */
export function readRequest(text: string): PaymentRequest | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'The request is not JSON.';
  }
  if (typeof value !== 'object' || value === null || !('operation' in value) || !('arguments' in value)) {
    return 'A request needs an operation and arguments.';
  }
  const { operation, arguments: args } = value;
  if (typeof operation !== 'string' || !OPERATIONS.has(operation)) {
    return 'The operation must be deposit, transfer, undelegate or withdraw.';
  }
  if (typeof args !== 'object' || args === null) return 'The arguments must be an object.';
  const unsafe = Object.entries(args).find(
    ([, each]) => typeof each === 'number' && !Number.isSafeInteger(each),
  );
  if (unsafe !== undefined) return `${unsafe[0]} is too large for a JSON number. Write it as a string.`;
  return { operation, arguments: args } as PaymentRequest;
}

/** The hint below the input field. */
export function inputWords(read: ReadInput): string {
  switch (read.kind) {
    case 'empty':
      return 'A base64 transaction, a signature, or a request as JSON.';
    case 'transaction':
      return `A transaction of ${read.bytes} bytes.`;
    case 'signature':
      return 'A signature. The page loads its transaction from the ledger.';
    case 'request':
      return `A request. The service builds the ${read.request.operation} and explains it.`;
    case 'unreadable':
      return read.why;
  }
}
