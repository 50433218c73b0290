import type { JsonOutput } from '../../json/json-value.ts';
import { showInstruction, type InstructionCall, type InstructionForm } from './instruction-call.ts';

/**
 * An instruction of the System program as Agave shows it (`parse_system`). The data are bincode: a u32 tag,
 * then the fields of `SystemInstruction`.
 *
 * @throws {Unparsable}
 */
export function parseSystem(call: InstructionCall): JsonOutput {
  return showInstruction(FORMS[call.u32()], call);
}

/** By tag (`SystemInstruction` in `solana-system-interface`). Data are read in the order of the members. */
const FORMS: readonly InstructionForm[] = [
  {
    type: 'createAccount',
    accountsMin: 2,
    info: (call) => ({
      source: call.account(0),
      newAccount: call.account(1),
      lamports: call.u64(),
      space: call.u64(),
      owner: call.address(),
    }),
  },
  {
    type: 'assign',
    accountsMin: 1,
    info: (call) => ({ account: call.account(0), owner: call.address() }),
  },
  {
    type: 'transfer',
    accountsMin: 2,
    info: (call) => ({ source: call.account(0), destination: call.account(1), lamports: call.u64() }),
  },
  {
    type: 'createAccountWithSeed',
    accountsMin: 2,
    info: (call) => ({
      source: call.account(0),
      newAccount: call.account(1),
      base: call.address(),
      seed: call.string(),
      lamports: call.u64(),
      space: call.u64(),
      owner: call.address(),
    }),
  },
  {
    type: 'advanceNonce',
    accountsMin: 3,
    info: (call) => ({
      nonceAccount: call.account(0),
      recentBlockhashesSysvar: call.account(1),
      nonceAuthority: call.account(2),
    }),
  },
  {
    type: 'withdrawFromNonce',
    accountsMin: 5,
    info: (call) => ({
      nonceAccount: call.account(0),
      destination: call.account(1),
      recentBlockhashesSysvar: call.account(2),
      rentSysvar: call.account(3),
      nonceAuthority: call.account(4),
      lamports: call.u64(),
    }),
  },
  {
    type: 'initializeNonce',
    accountsMin: 3,
    info: (call) => ({
      nonceAccount: call.account(0),
      recentBlockhashesSysvar: call.account(1),
      rentSysvar: call.account(2),
      nonceAuthority: call.address(),
    }),
  },
  {
    type: 'authorizeNonce',
    accountsMin: 2,
    info: (call) => ({
      nonceAccount: call.account(0),
      nonceAuthority: call.account(1),
      newAuthorized: call.address(),
    }),
  },
  {
    type: 'allocate',
    accountsMin: 1,
    info: (call) => ({ account: call.account(0), space: call.u64() }),
  },
  {
    type: 'allocateWithSeed',
    accountsMin: 2,
    info: (call) => ({
      account: call.account(0),
      base: call.address(),
      seed: call.string(),
      space: call.u64(),
      owner: call.address(),
    }),
  },
  {
    type: 'assignWithSeed',
    accountsMin: 2,
    info: (call) => ({
      account: call.account(0),
      base: call.address(),
      seed: call.string(),
      owner: call.address(),
    }),
  },
  {
    type: 'transferWithSeed',
    accountsMin: 3,
    info: (call) => ({
      source: call.account(0),
      sourceBase: call.account(1),
      destination: call.account(2),
      lamports: call.u64(),
      sourceSeed: call.string(),
      sourceOwner: call.address(),
    }),
  },
  {
    type: 'upgradeNonce',
    accountsMin: 1,
    info: (call) => ({ nonceAccount: call.account(0) }),
  },
  {
    type: 'createAccountAllowPrefund',
    accountsMin: 1,
    info: (call) => {
      const lamports = call.u64();
      const created = { newAccount: call.account(0), space: call.u64(), owner: call.address() };
      return lamports === 0n ? created : { ...created, source: call.account(1), lamports };
    },
  },
];
