import type { JsonOutput } from '../../json/json-value.ts';
import { showInstruction, type InstructionCall, type InstructionForm } from './instruction-call.ts';

/**
 * Shows an instruction of the BPF loader 2 as Agave does (`parse_bpf_loader`): `LoaderInstruction` in
 * bincode.
 *
 * @throws {Unparsable}
 */
export function parseBpfLoader(call: InstructionCall): JsonOutput {
  return showInstruction(FORMS[call.u32()], call);
}

/** By tag (`solana-loader-v2-interface`). */
const FORMS: readonly InstructionForm[] = [
  {
    type: 'write',
    accountsMin: 1,
    info: (call) => ({
      account: call.account(0),
      offset: call.u32(),
      bytes: call.base64(call.count64(1)),
    }),
  },
  { type: 'finalize', accountsMin: 2, info: (call) => ({ account: call.account(0) }) },
];
