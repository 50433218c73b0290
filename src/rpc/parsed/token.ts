import type { JsonOutput, JsonOutputObject } from '../../json/write-json.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import { InstructionCall, type InstructionForm, showInstruction, signers } from './instruction-call.ts';
import { EXTENSION_FORMS } from './token-extension-forms.ts';
import { parseTokenInterface } from './token-interfaces.ts';
import { extensionTypeName } from './token-names.ts';
import { TOKEN_TABLE_FORMS } from './token-table-forms.ts';

/** The tag of a batch of instructions (`TokenInstruction::Batch`). */
const BATCH_TAG = 255;

/**
 * Shows an instruction of SPL Token or Token-2022 as Agave does (`parse_token`). Confidential transfers,
 * fees, mints and burns are not supported and remain unparsed.
 *
 * @throws {Unparsable}
 */
export function parseToken(call: InstructionCall): JsonOutput {
  const tag = call.u8();
  if (tag === BATCH_TAG) return showInstruction(BATCH, call);
  const extension = EXTENSION_FORMS[tag];
  if (extension !== undefined) return showInstruction(extension[call.u8()], call);
  const form = FORMS[tag];
  return form === undefined ? parseTokenInterface(tag, call) : showInstruction(form, call);
}

const BATCH: InstructionForm = {
  type: 'batch',
  accountsMin: 1,
  info: (call) => ({ instructions: batched(call) }),
};

/** The instructions of a batch. Each is its account count, its data length, and the data. */
function batched(call: InstructionCall): JsonOutput[] {
  const instructions: JsonOutput[] = [];
  let accountsAt = 0;
  while (call.remaining > 0) {
    const accountsEnd = accountsAt + call.u8();
    const data = call.take(call.u8());
    if (accountsEnd > call.accounts.length) throw new Unparsable('too few accounts');
    if (data[0] === BATCH_TAG) throw new Unparsable('a batch in a batch');
    instructions.push(parseToken(new InstructionCall(call.accounts.slice(accountsAt, accountsEnd), data)));
    accountsAt = accountsEnd;
  }
  return instructions;
}

const amountText = (call: InstructionCall): string => call.u64().toString();

const mintMembers = (call: InstructionCall): JsonOutputObject => ({
  mint: call.account(0),
  decimals: call.u8(),
  mintAuthority: call.address(),
  freezeAuthority: call.option(() => call.address()) ?? undefined,
});

const accountOnly = (type: string): InstructionForm => ({
  type,
  accountsMin: 1,
  info: (call) => ({ account: call.account(0) }),
});

/** The names of all extension types that follow. */
function extensionTypeNames(call: InstructionCall): string[] {
  const names: string[] = [];
  while (call.remaining > 0) names.push(extensionTypeName(call.u16()));
  return names;
}

/** By tag (`TokenInstruction` in `spl-token-2022-interface`). Fields are read in declaration order. */
const FORMS: Readonly<Record<number, InstructionForm>> = {
  ...TOKEN_TABLE_FORMS,
  0: {
    type: 'initializeMint',
    accountsMin: 2,
    info: (call) => ({ ...mintMembers(call), rentSysvar: call.account(1) }),
  },
  2: {
    type: 'initializeMultisig',
    accountsMin: 3,
    info: (call) => ({
      multisig: call.account(0),
      rentSysvar: call.account(1),
      signers: call.accounts.slice(2),
      m: call.u8(),
    }),
  },
  19: {
    type: 'initializeMultisig2',
    accountsMin: 2,
    info: (call) => ({ multisig: call.account(0), signers: call.accounts.slice(1), m: call.u8() }),
  },
  20: { type: 'initializeMint2', accountsMin: 1, info: mintMembers },
  21: {
    type: 'getAccountDataSize',
    accountsMin: 1,
    info: (call) => {
      const mint = call.account(0);
      const extensionTypes = extensionTypeNames(call);
      return extensionTypes.length === 0 ? { mint } : { mint, extensionTypes };
    },
  },
  22: accountOnly('initializeImmutableOwner'),
  23: {
    type: 'amountToUiAmount',
    accountsMin: 1,
    info: (call) => ({ mint: call.account(0), amount: amountText(call) }),
  },
  24: {
    type: 'uiAmountToAmount',
    accountsMin: 1,
    info: (call) => ({ mint: call.account(0), uiAmount: call.text(call.remaining) }),
  },
  25: {
    type: 'initializeMintCloseAuthority',
    accountsMin: 1,
    info: (call) => ({ mint: call.account(0), newAuthority: call.option(() => call.address()) }),
  },
  29: {
    type: 'reallocate',
    accountsMin: 4,
    info: (call) => ({
      account: call.account(0),
      payer: call.account(1),
      systemProgram: call.account(2),
      extensionTypes: extensionTypeNames(call),
      ...signers(call, 3, 'owner'),
    }),
  },
  31: {
    type: 'createNativeMint',
    accountsMin: 3,
    info: (call) => ({
      payer: call.account(0),
      nativeMint: call.account(1),
      systemProgram: call.account(2),
    }),
  },
  32: {
    type: 'initializeNonTransferableMint',
    accountsMin: 1,
    info: (call) => ({ mint: call.account(0) }),
  },
  35: {
    type: 'initializePermanentDelegate',
    accountsMin: 1,
    info: (call) => ({ mint: call.account(0), delegate: call.address() }),
  },
  38: {
    type: 'withdrawExcessLamports',
    accountsMin: 3,
    info: (call) => ({
      source: call.account(0),
      destination: call.account(1),
      ...signers(call, 2, 'authority'),
    }),
  },
  45: {
    type: 'unwrapLamports',
    accountsMin: 3,
    info: (call) => ({
      source: call.account(0),
      destination: call.account(1),
      amount: call.option(() => amountText(call)) ?? undefined,
      ...signers(call, 2, 'authority'),
    }),
  },
};
