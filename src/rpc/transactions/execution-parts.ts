import type { Execution, InnerInstruction, LoadedAddresses, TokenBalance } from '../../ledger/execution.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { writeUiTokenAmount } from '../accounts/ui-amount.ts';
import { JsonText, type JsonOutput } from '../../json/json-value.ts';
import { showParsedInstruction } from '../parsed/parse-instruction.ts';

/** An instruction as in the message (Agave `UiCompiledInstruction`). */
export function showCompiledInstruction(
  { accounts, data, programIdIndex }: Pick<InnerInstruction, 'accounts' | 'data' | 'programIdIndex'>,
  stackHeight: number,
): JsonOutput {
  return { accounts: [...accounts], data: encodeBase58(data), programIdIndex, stackHeight };
}

/** The calls programs made, unparsed. */
export function showInnerInstructions(execution: Execution): readonly JsonOutput[] {
  return execution.innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((call) => showCompiledInstruction(call, call.stackHeight)),
  }));
}

/**
 * The calls programs made, parsed if the programs are known.
 *
 * @param keys all keys of the transaction.
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

/** The return data of a program, or null. */
export function showReturnData({ returnData }: Execution): JsonOutput {
  if (returnData === null) return null;
  const { data, programId } = returnData;
  const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  return { data: [base64, 'base64'], programId };
}

/** Token balances (Agave `UiTransactionTokenBalance`) as text, as they make up most of an answer. */
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
