import type { JsonOutputObject } from '../../json/write-json.ts';
import type { InstructionSpec } from '../../programs/instruction-table/instruction-spec.ts';
import { TOKEN_TABLE, TRANSFER_FEE_TABLE } from '../../programs/token/table.ts';
import { uiTokenAmount } from '../accounts/token-amount.ts';
import {
  type InstructionCall,
  type InstructionForm,
  type ShownFields,
  tableForm,
} from './instruction-call.ts';
import { authorityTypeName } from './token-names.ts';

/** An amount is shown as text, or together with the decimals the instruction states. */
function showAmounts({ amount, decimals, fee, ...others }: ShownFields): JsonOutputObject {
  if (typeof amount !== 'bigint') return others as JsonOutputObject;
  if (typeof decimals !== 'number') return { ...others, amount: amount.toString() } as JsonOutputObject;
  const tokenAmount = uiTokenAmount(amount, decimals);
  return typeof fee === 'bigint' ? { tokenAmount, feeAmount: uiTokenAmount(fee, decimals) } : { tokenAmount };
}

/** Whether the authority is that of a mint or of an account follows from its type. */
function showAuthority(
  { authorityType, newAuthority }: ShownFields,
  call: InstructionCall,
): JsonOutputObject {
  const { name, of } = authorityTypeName(authorityType as number);
  return {
    account: undefined,
    [of]: call.account(0),
    authorityType: name,
    newAuthority: newAuthority as string | null,
  };
}

/** The instructions of the table, by tag. */
export const TOKEN_TABLE_FORMS: Readonly<Record<number, InstructionForm>> = Object.fromEntries(
  Object.values<InstructionSpec>(TOKEN_TABLE).map((spec) => [
    spec.tag,
    tableForm(spec, spec === TOKEN_TABLE.setAuthority ? showAuthority : showAmounts),
  ]),
);

export const TRANSFER_CHECKED_WITH_FEE = tableForm(TRANSFER_FEE_TABLE.transferCheckedWithFee, showAmounts);
