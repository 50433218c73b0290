import { isAddress, type Address } from '../../solana/address.ts';
import { isSignature } from '../../solana/signature.ts';
import { invalidParams } from '../errors.ts';

/**
 * Parses an address.
 *
 * @param thing Agave's name of the parameter.
 * @throws {RpcError} -32602 with the text of Agave's `rpc_pubsub.rs`, which differs from that of the other
 *   methods.
 */
export function parseAddress(text: string, thing: string): Address {
  if (!isAddress(text)) throw invalid(thing);
  return text;
}

/**
 * Checks the base58 text of a signature.
 *
 * @throws {RpcError} -32602, as {@link parseAddress}.
 */
export function parseSignature(text: string): string {
  if (!isSignature(text)) throw invalid('signature');
  return text;
}

const invalid = (thing: string) => invalidParams(`Invalid Request: Invalid ${thing} provided`);
