import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import { type InstructionCall, type InstructionForm, showInstruction } from './instruction-call.ts';
import { parseCompactTower, parseTower, parseTowerSync, parseVotedSlots } from './vote-tower.ts';

/**
 * Shows an instruction of the Vote program as Agave does (`parse_vote`): `VoteInstruction` in bincode.
 * Instructions with a BLS key (tag 16 and one kind of authority) remain unparsed, as their layout is not
 * final.
 *
 * @throws {Unparsable}
 */
export function parseVote(call: InstructionCall): JsonOutput {
  return showInstruction(FORMS[call.u32()], call);
}

/** A variant of an enum, by serde's name. */
function variantName(call: InstructionCall, names: readonly string[]): string {
  const name = names[call.u32()];
  if (name === undefined) throw new Unparsable('unknown variant');
  return name;
}

/** `VoteAuthorize`. */
const authorityType = (call: InstructionCall): string => variantName(call, ['Voter', 'Withdrawer']);

/** `CommissionKind`. */
const commissionKind = (call: InstructionCall): string =>
  variantName(call, ['InflationRewards', 'BlockRevenue']);

const hash = (call: InstructionCall): string => encodeBase58(call.take(32));

/** A vote with the whole tower, in one of its encodings, possibly with a proof for switching forks. */
function towerForm(
  type: string,
  member: 'voteStateUpdate' | 'towerSync',
  parse: (call: InstructionCall) => JsonOutputObject,
  isSwitch: boolean,
): InstructionForm {
  return {
    type,
    accountsMin: 2,
    info: (call) => ({
      voteAccount: call.account(0),
      voteAuthority: call.account(1),
      [member]: parse(call),
      hash: isSwitch ? hash(call) : undefined,
    }),
  };
}

/** A vote for a list of slots, the older form. */
function slotsForm(type: string, isSwitch: boolean): InstructionForm {
  return {
    type,
    accountsMin: 4,
    info: (call) => ({
      voteAccount: call.account(0),
      slotHashesSysvar: call.account(1),
      clockSysvar: call.account(2),
      voteAuthority: call.account(3),
      vote: parseVotedSlots(call),
      hash: isSwitch ? hash(call) : undefined,
    }),
  };
}

/** By tag (`solana-vote-interface`). Fields are read in declaration order. */
const FORMS: Readonly<Record<number, InstructionForm>> = {
  0: {
    type: 'initialize',
    accountsMin: 4,
    info: (call) => {
      // The node is in the data and also among the signing accounts; Agave shows the account.
      call.address();
      return {
        voteAccount: call.account(0),
        rentSysvar: call.account(1),
        clockSysvar: call.account(2),
        node: call.account(3),
        authorizedVoter: call.address(),
        authorizedWithdrawer: call.address(),
        commission: call.u8(),
      };
    },
  },
  1: {
    type: 'authorize',
    accountsMin: 3,
    info: (call) => ({
      voteAccount: call.account(0),
      clockSysvar: call.account(1),
      authority: call.account(2),
      newAuthority: call.address(),
      authorityType: authorityType(call),
    }),
  },
  2: slotsForm('vote', false),
  3: {
    type: 'withdraw',
    accountsMin: 3,
    info: (call) => ({
      voteAccount: call.account(0),
      destination: call.account(1),
      withdrawAuthority: call.account(2),
      lamports: call.u64(),
    }),
  },
  4: {
    type: 'updateValidatorIdentity',
    accountsMin: 3,
    info: (call) => ({
      voteAccount: call.account(0),
      newValidatorIdentity: call.account(1),
      withdrawAuthority: call.account(2),
    }),
  },
  5: {
    type: 'updateCommission',
    accountsMin: 2,
    info: (call) => ({
      voteAccount: call.account(0),
      withdrawAuthority: call.account(1),
      commission: call.u8(),
    }),
  },
  6: slotsForm('voteSwitch', true),
  7: {
    type: 'authorizeChecked',
    accountsMin: 4,
    info: (call) => ({
      voteAccount: call.account(0),
      clockSysvar: call.account(1),
      authority: call.account(2),
      newAuthority: call.account(3),
      authorityType: authorityType(call),
    }),
  },
  8: towerForm('updatevotestate', 'voteStateUpdate', parseTower, false),
  9: towerForm('updatevotestateswitch', 'voteStateUpdate', parseTower, true),
  10: {
    type: 'authorizeWithSeed',
    accountsMin: 3,
    info: (call) => ({
      voteAccount: call.account(0),
      clockSysvar: call.account(1),
      authorityBaseKey: call.account(2),
      authorityType: authorityType(call),
      authorityOwner: call.address(),
      authoritySeed: call.string(),
      newAuthority: call.address(),
    }),
  },
  11: {
    type: 'authorizeCheckedWithSeed',
    accountsMin: 4,
    info: (call) => ({
      voteAccount: call.account(0),
      clockSysvar: call.account(1),
      authorityBaseKey: call.account(2),
      newAuthority: call.account(3),
      authorityType: authorityType(call),
      authorityOwner: call.address(),
      authoritySeed: call.string(),
    }),
  },
  12: towerForm('compactupdatevotestate', 'voteStateUpdate', parseCompactTower, false),
  13: towerForm('compactupdatevotestateswitch', 'voteStateUpdate', parseCompactTower, true),
  14: towerForm('towersync', 'towerSync', parseTowerSync, false),
  15: towerForm('towersyncswitch', 'towerSync', parseTowerSync, true),
  17: {
    type: 'updateCommissionCollector',
    accountsMin: 3,
    info: (call) => ({
      voteAccount: call.account(0),
      newCollector: call.account(1),
      withdrawAuthority: call.account(2),
      commissionKind: commissionKind(call),
    }),
  },
  18: {
    type: 'updateCommissionBps',
    accountsMin: 2,
    info: (call) => ({
      voteAccount: call.account(0),
      withdrawAuthority: call.account(1),
      commissionBps: call.u16(),
      commissionKind: commissionKind(call),
    }),
  },
  19: {
    type: 'depositDelegatorRewards',
    accountsMin: 2,
    info: (call) => ({ voteAccount: call.account(0), source: call.account(1), deposit: call.u64() }),
  },
};
