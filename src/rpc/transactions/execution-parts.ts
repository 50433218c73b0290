import type { Execution, InnerInstruction, LoadedAddresses, TokenBalance } from '../../ledger/execution.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { writeUiTokenAmount } from '../accounts/ui-amount.ts';
import { JsonText, type JsonOutput } from '../../json/json-value.ts';
import { showParsedInstruction } from '../parsed/parse-instruction.ts';

/** An instruction as the message holds it (Agave `UiCompiledInstruction`). */
export function showCompiledInstruction(
  { accounts, data, programIdIndex }: Pick<InnerInstruction, 'accounts' | 'data' | 'programIdIndex'>,
  stackHeight: number,
): JsonOutput {
  return { accounts: [...accounts], data: encodeBase58(data), programIdIndex, stackHeight };
}

/** The calls that programs made, as they were made. */
export function showInnerInstructions(execution: Execution): readonly JsonOutput[] {
  return execution.innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((call) => showCompiledInstruction(call, call.stackHeight)),
  }));
}

/**
 * The calls that programs made, in words where the programs are known. `keys` are all keys of the
 * transaction.
 */
export function showParsedInnerInstructions(
  execution: Execution,
  keys: readonly Address[],
): readonly JsonOutput[] {
  return execution.innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((call) => showParsedInstruction(call, keys, call.stackHeight)),
  }));
}

export function showLoadedAddresses({ readonly, writable }: LoadedAddresses): JsonOutput {
  return { readonly, writable };
}

/** What a program returned, or null when none did. */
export function showReturnData({ returnData }: Execution): JsonOutput {
  if (returnData === null) return null;
  const { data, programId } = returnData;
  const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  return { data: [base64, 'base64'], programId };
}

/**
 * What token accounts held (Agave `UiTransactionTokenBalance`), as text: most of what an answer to a
 * transaction is.
 */
export function showTokenBalances(balances: readonly TokenBalance[]): JsonText {
  let text = '';
  for (const balance of balances) text += `${text === '' ? '' : ','}${writeTokenBalance(balance)}`;
  return new JsonText(`[${text}]`);
}

function writeTokenBalance(balance: TokenBalance): string {
  const { accountIndex, mint, owner, programId, amount, decimals } = balance;
  const uiAmount = writeUiTokenAmount(amount, decimals);
  return `{"accountIndex":${accountIndex},"mint":"${mint}","owner":"${owner}","programId":"${programId}","uiTokenAmount":${uiAmount}}`;
}
