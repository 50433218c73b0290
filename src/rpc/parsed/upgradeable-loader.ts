import type { JsonOutput } from '../../json/write-json.ts';
import { type InstructionCall, type InstructionForm, showInstruction } from './instruction-call.ts';

/**
 * Shows an instruction of the upgradeable loader as Agave does (`parse_bpf_upgradeable_loader`):
 * `UpgradeableLoaderInstruction` in bincode.
 *
 * @throws {Unparsable}
 */
export function parseUpgradeableLoader(call: InstructionCall): JsonOutput {
  return showInstruction(FORMS[call.u32()], call);
}

/** By tag (`solana-loader-v3-interface`). Fields are read in declaration order. */
const FORMS: readonly InstructionForm[] = [
  {
    type: 'initializeBuffer',
    accountsMin: 1,
    info: (call) => ({ account: call.account(0), authority: call.accounts[1] }),
  },
  {
    type: 'write',
    accountsMin: 2,
    info: (call) => ({
      account: call.account(0),
      authority: call.account(1),
      offset: call.u32(),
      bytes: call.base64(call.count64(1)),
    }),
  },
  {
    type: 'deployWithMaxDataLen',
    accountsMin: 8,
    info: (call) => ({
      payerAccount: call.account(0),
      programDataAccount: call.account(1),
      programAccount: call.account(2),
      bufferAccount: call.account(3),
      rentSysvar: call.account(4),
      clockSysvar: call.account(5),
      systemProgram: call.account(6),
      authority: call.account(7),
      maxDataLen: call.u64(),
    }),
  },
  {
    type: 'upgrade',
    accountsMin: 7,
    info: (call) => ({
      programDataAccount: call.account(0),
      programAccount: call.account(1),
      bufferAccount: call.account(2),
      spillAccount: call.account(3),
      rentSysvar: call.account(4),
      clockSysvar: call.account(5),
      authority: call.account(6),
    }),
  },
  {
    type: 'setAuthority',
    accountsMin: 2,
    info: (call) => ({
      account: call.account(0),
      authority: call.account(1),
      newAuthority: call.accounts[2] ?? null,
    }),
  },
  {
    type: 'close',
    accountsMin: 3,
    info: (call) => ({
      account: call.account(0),
      recipient: call.account(1),
      authority: call.account(2),
      programAccount: call.accounts[3] ?? null,
    }),
  },
  {
    type: 'extendProgram',
    accountsMin: 2,
    info: (call) => ({
      programDataAccount: call.account(0),
      programAccount: call.account(1),
      systemProgram: call.accounts[2] ?? null,
      payerAccount: call.accounts[3] ?? null,
      additionalBytes: call.u32(),
    }),
  },
  {
    type: 'setAuthorityChecked',
    accountsMin: 3,
    info: (call) => ({
      account: call.account(0),
      authority: call.account(1),
      newAuthority: call.account(2),
    }),
  },
];
