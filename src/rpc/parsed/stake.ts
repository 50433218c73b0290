import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import { STAKE_CONFIG } from '../../programs/addresses.ts';
import { CLOCK_SYSVAR, RENT_SYSVAR } from '../../programs/sysvars.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import { type InstructionCall, type InstructionForm, showInstruction } from './instruction-call.ts';

/**
 * Shows an instruction of the Stake program as Agave does (`parse_stake`): `StakeInstruction` in bincode. The
 * program accepts its accounts with or without the sysvars that it used to read, and distinguishes the two by
 * address.
 *
 * @throws {Unparsable}
 */
export function parseStake(call: InstructionCall): JsonOutput {
  return showInstruction(FORMS[call.u32()], call);
}

/** Whether the account at `position` is the Clock sysvar, which shifts the accounts after it by one. */
const hasClockAt = (call: InstructionCall, position: number): boolean =>
  call.accounts[position] === CLOCK_SYSVAR;

/** The Clock sysvar, if it is passed. */
const clockSysvar = (call: InstructionCall, position: number): JsonOutputObject =>
  hasClockAt(call, position) ? { clockSysvar: call.account(position) } : {};

/** Two sysvars that go together, if they are passed. */
const clockAndHistory = (call: InstructionCall, position: number): JsonOutputObject =>
  hasClockAt(call, position)
    ? { clockSysvar: call.account(position), stakeHistorySysvar: call.account(position + 1) }
    : {};

/** `StakeAuthorize`, by serde's variant names. */
function authorityType(call: InstructionCall): string {
  const name = ['Staker', 'Withdrawer'][call.u32()];
  if (name === undefined) throw new Unparsable('unknown authority type');
  return name;
}

/** `LockupArgs`: the fields of a lockup to change. */
const lockupChange = (call: InstructionCall): Pick<JsonOutputObject, 'unixTimestamp' | 'epoch'> => ({
  unixTimestamp: call.option(() => call.i64()) ?? undefined,
  epoch: call.option(() => call.u64()) ?? undefined,
});

const moveForm = (type: string): InstructionForm => ({
  type,
  accountsMin: 3,
  info: (call) => ({
    source: call.account(0),
    destination: call.account(1),
    stakeAuthority: call.account(2),
    lamports: call.u64(),
  }),
});

/** By tag (`solana-stake-interface`). Fields are read in declaration order. */
const FORMS: readonly InstructionForm[] = [
  {
    type: 'initialize',
    accountsMin: 1,
    info: (call) => {
      const authorized = { staker: call.address(), withdrawer: call.address() };
      const unixTimestamp = call.i64();
      const epoch = call.u64();
      return {
        stakeAccount: call.account(0),
        authorized,
        lockup: { custodian: call.address(), epoch, unixTimestamp },
        rentSysvar: call.accounts[1] === RENT_SYSVAR ? RENT_SYSVAR : undefined,
      };
    },
  },
  {
    type: 'authorize',
    accountsMin: 2,
    info: (call) => {
      const at = hasClockAt(call, 1) ? 2 : 1;
      return {
        stakeAccount: call.account(0),
        ...clockSysvar(call, 1),
        authority: call.account(at),
        custodian: call.accounts[at + 1],
        newAuthority: call.address(),
        authorityType: authorityType(call),
      };
    },
  },
  {
    type: 'delegate',
    accountsMin: 3,
    info: (call) => {
      const stake = { stakeAccount: call.account(0), voteAccount: call.account(1) };
      if (!hasClockAt(call, 2)) return { ...stake, stakeAuthority: call.account(2) };
      const named = { ...stake, ...clockAndHistory(call, 2) };
      // The program requires a fifth account here but never reads it; it may already be the authority.
      if (call.account(4) !== STAKE_CONFIG) return { ...named, stakeAuthority: call.account(4) };
      return { ...named, stakeConfigAccount: call.account(4), stakeAuthority: call.accounts[5] };
    },
  },
  {
    type: 'split',
    accountsMin: 2,
    info: (call) => ({
      stakeAccount: call.account(0),
      newSplitAccount: call.account(1),
      stakeAuthority: call.accounts[2],
      lamports: call.u64(),
    }),
  },
  {
    type: 'withdraw',
    accountsMin: 3,
    info: (call) => {
      const at = hasClockAt(call, 2) ? 4 : 2;
      return {
        stakeAccount: call.account(0),
        destination: call.account(1),
        ...clockAndHistory(call, 2),
        withdrawAuthority: call.account(at),
        custodian: call.accounts[at + 1],
        lamports: call.u64(),
      };
    },
  },
  {
    type: 'deactivate',
    accountsMin: 2,
    info: (call) => ({
      stakeAccount: call.account(0),
      ...clockSysvar(call, 1),
      stakeAuthority: call.accounts[hasClockAt(call, 1) ? 2 : 1],
    }),
  },
  {
    type: 'setLockup',
    accountsMin: 2,
    info: (call) => {
      const { epoch, unixTimestamp } = lockupChange(call);
      const custodian = call.option(() => call.address()) ?? undefined;
      return {
        stakeAccount: call.account(0),
        custodian: call.account(1),
        lockup: { custodian, epoch, unixTimestamp },
      };
    },
  },
  {
    type: 'merge',
    accountsMin: 3,
    info: (call) => {
      const hasClock = hasClockAt(call, 2);
      return {
        destination: call.account(0),
        source: call.account(1),
        ...clockAndHistory(call, 2),
        stakeAuthority: hasClock ? call.accounts[4] : call.account(2),
      };
    },
  },
  {
    type: 'authorizeWithSeed',
    accountsMin: 2,
    info: (call) => ({
      stakeAccount: call.account(0),
      authorityBase: call.account(1),
      ...clockSysvar(call, 2),
      custodian: call.accounts[hasClockAt(call, 2) ? 3 : 2],
      newAuthorized: call.address(),
      authorityType: authorityType(call),
      authoritySeed: call.string(),
      authorityOwner: call.address(),
    }),
  },
  {
    type: 'initializeChecked',
    accountsMin: 3,
    info: (call) => {
      const at = call.account(1) === RENT_SYSVAR ? 2 : 1;
      return {
        stakeAccount: call.account(0),
        rentSysvar: at === 2 ? RENT_SYSVAR : undefined,
        staker: call.account(at),
        withdrawer: call.account(at + 1),
      };
    },
  },
  {
    type: 'authorizeChecked',
    accountsMin: 3,
    info: (call) => {
      const at = hasClockAt(call, 1) ? 2 : 1;
      return {
        stakeAccount: call.account(0),
        ...clockSysvar(call, 1),
        authority: call.account(at),
        newAuthority: call.account(at + 1),
        custodian: call.accounts[at + 2],
        authorityType: authorityType(call),
      };
    },
  },
  {
    type: 'authorizeCheckedWithSeed',
    accountsMin: 3,
    info: (call) => {
      const at = hasClockAt(call, 2) ? 3 : 2;
      return {
        stakeAccount: call.account(0),
        authorityBase: call.account(1),
        ...clockSysvar(call, 2),
        newAuthorized: call.account(at),
        custodian: call.accounts[at + 1],
        authorityType: authorityType(call),
        authoritySeed: call.string(),
        authorityOwner: call.address(),
      };
    },
  },
  {
    type: 'setLockupChecked',
    accountsMin: 2,
    info: (call) => {
      const { epoch, unixTimestamp } = lockupChange(call);
      return {
        stakeAccount: call.account(0),
        custodian: call.account(1),
        lockup: { custodian: call.accounts[2], epoch, unixTimestamp },
      };
    },
  },
  { type: 'getMinimumDelegation', accountsMin: 1, info: () => null },
  {
    type: 'deactivateDelinquent',
    accountsMin: 3,
    info: (call) => ({
      stakeAccount: call.account(0),
      voteAccount: call.account(1),
      referenceVoteAccount: call.account(2),
    }),
  },
  {
    type: 'redelegate',
    accountsMin: 5,
    info: (call) => ({
      stakeAccount: call.account(0),
      newStakeAccount: call.account(1),
      voteAccount: call.account(2),
      stakeConfigAccount: call.account(3),
      stakeAuthority: call.account(4),
    }),
  },
  moveForm('moveStake'),
  moveForm('moveLamports'),
];
