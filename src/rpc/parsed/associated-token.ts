import type { JsonOutput } from '../../json/json-value.ts';
import { ASSOCIATED_TOKEN_TABLE } from '../../programs/associated-token.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import { showInstruction, type InstructionCall, type InstructionForm } from './instruction-call.ts';
import { tableForm } from './table-form.ts';

/**
 * Shows an instruction of the Associated Token Account program as Agave does (`parse_associated_token`). The
 * data is a one-byte tag, or empty for the first tag.
 *
 * @throws {Unparsable}
 */
export function parseAssociatedToken(call: InstructionCall): JsonOutput {
  const tag = call.remaining === 0 ? 0 : call.u8();
  if (call.remaining > 0) throw new Unparsable('bytes after the tag');
  return showInstruction(FORMS[tag], call);
}

/** By tag (`AssociatedTokenAccountInstruction`). */
const FORMS: readonly InstructionForm[] = [
  tableForm(ASSOCIATED_TOKEN_TABLE.create),
  tableForm(ASSOCIATED_TOKEN_TABLE.createIdempotent),
  {
    type: 'recoverNested',
    accountsMin: 7,
    info: (call) => ({
      nestedSource: call.account(0),
      nestedMint: call.account(1),
      destination: call.account(2),
      nestedOwner: call.account(3),
      ownerMint: call.account(4),
      wallet: call.account(5),
      tokenProgram: call.account(6),
    }),
  },
];
