import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import { showInstruction, type InstructionCall, type InstructionForm } from './instruction-call.ts';

/**
 * An instruction of the Associated Token Account program as Agave shows it (`parse_associated_token`). The
 * data are one byte, the tag, or nothing, which means the first tag.
 *
 * @throws {Unparsable}
 */
export function parseAssociatedToken(call: InstructionCall): JsonOutput {
  const tag = call.remaining === 0 ? 0 : call.u8();
  if (call.remaining > 0) throw new Unparsable('bytes after the tag');
  return showInstruction(FORMS[tag], call);
}

const showCreate = (call: InstructionCall): JsonOutputObject => ({
  source: call.account(0),
  account: call.account(1),
  wallet: call.account(2),
  mint: call.account(3),
  systemProgram: call.account(4),
  tokenProgram: call.account(5),
});

/** By tag (`AssociatedTokenAccountInstruction`). */
const FORMS: readonly InstructionForm[] = [
  { type: 'create', accountsMin: 6, info: showCreate },
  { type: 'createIdempotent', accountsMin: 6, info: showCreate },
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
