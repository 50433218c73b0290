import { invalidParams } from '../errors.ts';

const PADDING = 0x3d;

/**
 * The bytes of a base64 text: standard alphabet, padding required, unused bits zero.
 *
 * @throws {RpcError} -32602 with what the Rust crate `base64` 0.22 says of the text.
 */
export function decodeBase64(text: string): Uint8Array {
  const decoded = tryDecodeBase64(text);
  if ('fault' in decoded) throw invalidParams(`invalid base64 encoding: ${decoded.fault}`);
  return decoded.bytes;
}

/**
 * The bytes of a base64 text as {@link decodeBase64} takes it, or its fault as the crate's `DecodeError`
 * prints it.
 */
export function tryDecodeBase64(text: string): { readonly bytes: Uint8Array } | { readonly fault: string } {
  const bytes = Buffer.from(text, 'base64');
  // Node leaves out what it does not know. Only canonical text comes back as it was.
  if (bytes.toString('base64') === text) return { bytes };
  return { fault: describeBase64Fault(Buffer.from(text, 'utf8')) };
}

/** The first fault of `text`, which must have one, as the crate's `DecodeError` prints it. */
function describeBase64Fault(text: Uint8Array): string {
  const end = text.length;
  // A lone symbol beyond the last group of four is judged first, so that a final line feed is what gets
  // named.
  if (end % 4 === 1 && text[end - 1] !== PADDING && !isSymbol(text[end - 1]))
    return invalidByte(text, end - 1);
  const tailAt = end - (end % 4 || 4);
  for (let index = 0; index < tailAt; index++) {
    if (!isSymbol(text[index])) return invalidByte(text, index);
  }
  return describeTailFault(text, tailAt);
}

/** The fault of the last one to four bytes: symbols first, then padding. */
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
  // All that is left are bits of the last symbol that stand for nothing and are not zero.
  return `InvalidLastSymbol(${padAt - 1}, ${text[padAt - 1]})`;
}

function invalidByte(text: Uint8Array, index: number): string {
  return `InvalidByte(${index}, ${text[index]})`;
}

function isSymbol(byte: number | undefined): boolean {
  return byte !== undefined && /[A-Za-z0-9+/]/.test(String.fromCharCode(byte));
}
