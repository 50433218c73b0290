import { invalidParams } from '../errors.ts';

const PADDING = 0x3d;

/**
 * Decodes base64: standard alphabet, padding required, unused bits zero.
 *
 * @throws {RpcError} -32602 with the message of the Rust crate `base64` 0.22.
 */
export function decodeBase64(text: string): Uint8Array {
  const decoded = tryDecodeBase64(text);
  if ('fault' in decoded) throw invalidParams(`invalid base64 encoding: ${decoded.fault}`);
  return decoded.bytes;
}

/** Decodes like {@link decodeBase64}, but returns a fault as the crate's `DecodeError` prints it. */
export function tryDecodeBase64(text: string): { readonly bytes: Uint8Array } | { readonly fault: string } {
  const bytes = Buffer.from(text, 'base64');
  // Node skips invalid characters. Only canonical text survives the round trip.
  if (bytes.toString('base64') === text) return { bytes };
  return { fault: describeBase64Fault(Buffer.from(text, 'utf8')) };
}

/** The first fault of `text`, which must have one, as the crate's `DecodeError` prints it. */
function describeBase64Fault(text: Uint8Array): string {
  const end = text.length;
  // A single symbol after the last group of four is checked first, so that a trailing line feed is what the
  // message names.
  if (end % 4 === 1 && text[end - 1] !== PADDING && !isSymbol(text[end - 1]))
    return invalidByte(text, end - 1);
  const tailAt = end - (end % 4 || 4);
  for (let index = 0; index < tailAt; index++) {
    if (!isSymbol(text[index])) return invalidByte(text, index);
  }
  return describeTailFault(text, tailAt);
}

/** The fault in the last one to four bytes: symbols first, then padding. */
function describeTailFault(text: Uint8Array, tailAt: number): string {
  let padAt = text.length;
  for (let index = tailAt; index < text.length; index++) {
    const isPadding = text[index] === PADDING;
    if (isPadding && index - tailAt < 2) return invalidByte(text, index);
    if (isPadding) padAt = Math.min(padAt, index);
    else if (index > padAt) return invalidByte(text, padAt);
    else if (!isSymbol(text[index])) return invalidByte(text, index);
  }
  const symbols = padAt - tailAt;
  if (symbols < 2) return `InvalidLength(${tailAt + symbols})`;
  if ((text.length - tailAt) % 4 !== 0) return 'InvalidPadding';
  // What remains are unused bits of the last symbol that are not zero.
  return `InvalidLastSymbol(${padAt - 1}, ${text[padAt - 1]})`;
}

function invalidByte(text: Uint8Array, index: number): string {
  return `InvalidByte(${index}, ${text[index]})`;
}

function isSymbol(byte: number | undefined): boolean {
  return byte !== undefined && /[A-Za-z0-9+/]/.test(String.fromCharCode(byte));
}
