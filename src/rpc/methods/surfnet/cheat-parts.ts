import type { LedgerOperator } from '../../../ledger/ledger.ts';
import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../../solana/account.ts';
import { invalidParams, methodNotFound } from '../../errors.ts';
import type { RpcNode } from '../../rpc-node.ts';

/**
 * The operator interface of a node, which may change the ledger by calls.
 *
 * @throws {RpcError} -32601 if there is none, as if the method did not exist.
 */
export function operatorOf({ operator }: RpcNode): LedgerOperator {
  if (operator === undefined) throw methodNotFound();
  return operator;
}

/**
 * A wallet without lamports: the starting point for changes to an absent account, and the value that removes
 * one.
 */
export const NOTHING: Account = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
};

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
