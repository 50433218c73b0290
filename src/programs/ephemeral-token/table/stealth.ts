import { readonly, signer, writable, writableSigner } from '../../instruction-table/account-spec.ts';
import { address, atEnd, paddedText, rest, u8 } from '../../instruction-table/field-codec.ts';
import { instructionTable } from '../../instruction-table/instruction-spec.ts';
import { HANDLE_BYTES_MAX } from '../stealth-pool.ts';
import { delegatedThrough, EPHEMERAL_TOKEN } from './program.ts';

const handle = paddedText(HANDLE_BYTES_MAX);

/** Tags 21 and 22 of layout B: stealth pools. */
export const STEALTH_TABLE = instructionTable(EPHEMERAL_TOKEN, {
  updateStealthPool: {
    tag: 21,
    accounts: [writableSigner('payer'), writable('pool'), signer('authority'), readonly('systemProgram')],
    fields: { handle, flags: u8, destinationCount: u8, destinations: rest },
  },
  delegateStealthPool: {
    tag: 22,
    accounts: [
      writableSigner('payer'),
      writable('pool'),
      writable('poolPermission', 'permission'),
      ...delegatedThrough('pool'),
      readonly('systemProgram'),
      readonly('permissionProgram'),
      signer('authority'),
    ],
    fields: { handle, validator: atEnd(address) },
  },
});
