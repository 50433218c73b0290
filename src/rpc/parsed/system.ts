import type { JsonOutput } from '../../json/json-value.ts';
import type { InstructionSpec } from '../../programs/instruction-table/instruction-spec.ts';
import { SYSTEM_TABLE } from '../../programs/system.ts';
import { showInstruction, type InstructionCall, type InstructionForm } from './instruction-call.ts';
import { tableForm } from './table-form.ts';

/**
 * Shows an instruction of the System program as Agave does (`parse_system`). The data is bincode: a u32 tag,
 * then the fields of `SystemInstruction`.
 *
 * @throws {Unparsable}
 */
export function parseSystem(call: InstructionCall): JsonOutput {
  return showInstruction(FORMS.get(call.u32()), call);
}

/** Has no paying account. */
const CREATE_ACCOUNT_ALLOW_PREFUND: InstructionForm = {
  type: 'createAccountAllowPrefund',
  accountsMin: 1,
  info: (call) => {
    const lamports = call.u64();
    const created = { newAccount: call.account(0), space: call.u64(), owner: call.address() };
    return lamports === 0n ? created : { ...created, source: call.account(1), lamports };
  },
};

/** By tag. */
const FORMS: ReadonlyMap<number, InstructionForm> = new Map([
  ...Object.values<InstructionSpec>(SYSTEM_TABLE).map((spec) => [spec.tag, tableForm(spec)] as const),
  [13, CREATE_ACCOUNT_ALLOW_PREFUND],
]);
