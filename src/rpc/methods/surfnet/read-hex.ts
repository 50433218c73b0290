import { invalidParams } from '../../errors.ts';

/**
 * The bytes of a hex text, with or without `0x`.
 *
 * @throws {RpcError} -32602
 */
export function readHex(text: string): Uint8Array {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(digits)) throw invalidParams('Invalid hex data provided');
  return new Uint8Array(Buffer.from(digits, 'hex'));
}
