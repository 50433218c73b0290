import type { JsonOutputObject } from '../../json/write-json.ts';
import type { InstructionSpec } from '../../programs/instruction-table/instruction-spec.ts';
import { TOKEN_TABLE, TRANSFER_FEE_TABLE } from '../../programs/token/table.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import { uiTokenAmount } from '../accounts/token-amount.ts';
import {
  type InstructionCall,
  type InstructionForm,
  type ShownFields,
  signers,
  signersAmong,
  tableForm,
} from './instruction-call.ts';
import { accountStateName, addressOrNull, authorityTypeName, plainFloatText } from './token-extensions.ts';

/** Shows an amount as text, or with the decimals if the instruction contains them. */
function showAmounts({ amount, decimals, fee, ...others }: ShownFields): JsonOutputObject {
  if (typeof amount !== 'bigint') return others as JsonOutputObject;
  if (typeof decimals !== 'number') return { ...others, amount: amount.toString() } as JsonOutputObject;
  const tokenAmount = uiTokenAmount(amount, decimals);
  return typeof fee === 'bigint' ? { tokenAmount, feeAmount: uiTokenAmount(fee, decimals) } : { tokenAmount };
}

/** Shows a new authority. Its type decides whether the first account is a mint or a token account. */
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

/** The forms of the instructions in the table, by tag. */
export const TOKEN_TABLE_FORMS: Readonly<Record<number, InstructionForm>> = Object.fromEntries(
  Object.values<InstructionSpec>(TOKEN_TABLE).map((spec) => [
    spec.tag,
    tableForm(spec, spec === TOKEN_TABLE.setAuthority ? showAuthority : showAmounts),
  ]),
);

const TRANSFER_CHECKED_WITH_FEE = tableForm(TRANSFER_FEE_TABLE.transferCheckedWithFee, showAmounts);

/** Wraps an `info` to reject bytes after the fields (a `Pod` in Rust). */
const exact =
  (info: (call: InstructionCall) => JsonOutputObject) =>
  (call: InstructionCall): JsonOutputObject => {
    const shown = info(call);
    if (call.remaining > 0) throw new Unparsable('bytes after the fields');
    return shown;
  };

/** Reads an address; undefined if it is 32 zeros. */
const addressIfAny = (call: InstructionCall): string | undefined => addressOrNull(call) ?? undefined;

/** Creates the form of an instruction with which an owner sets a flag of a token account. */
const ownerSwitch = (type: string): InstructionForm => ({
  type,
  accountsMin: 2,
  info: (call) => ({ account: call.account(0), ...signers(call, 1, 'owner') }),
});

/** Creates the form of an instruction with which an authority sets a flag of a mint. */
const mintSwitch = (type: string): InstructionForm => ({
  type,
  accountsMin: 2,
  info: (call) => ({ mint: call.account(0), ...signers(call, 1, 'authority') }),
});

/** Creates the forms of the instructions that initialize and update a pointer of a mint. */
function pointerForms(name: string, member: string): readonly InstructionForm[] {
  return [
    {
      type: `initialize${name}`,
      accountsMin: 1,
      info: exact((call) => ({
        mint: call.account(0),
        authority: addressIfAny(call),
        [member]: addressIfAny(call),
      })),
    },
    {
      type: `update${name}`,
      accountsMin: 2,
      info: exact((call) => ({
        mint: call.account(0),
        [member]: addressIfAny(call),
        ...signers(call, 1, 'authority'),
      })),
    },
  ];
}

/** Reads an `AccountState`, which must be valid. */
function accountState(call: InstructionCall): string {
  const name = accountStateName(call.u8());
  if (name === undefined) throw new Unparsable('unknown account state');
  return name;
}

const WITHDRAW_AUTHORITY = 'withdrawWithheldAuthority';
const WITHDRAW_MULTISIG = 'multisigWithdrawWithheldAuthority';

/** Forms of `TransferFeeInstruction`. */
const TRANSFER_FEE: readonly InstructionForm[] = [
  {
    type: 'initializeTransferFeeConfig',
    accountsMin: 1,
    info: (call) => ({
      mint: call.account(0),
      transferFeeConfigAuthority: call.option(() => call.address()) ?? undefined,
      withdrawWithheldAuthority: call.option(() => call.address()) ?? undefined,
      transferFeeBasisPoints: call.u16(),
      maximumFee: call.u64(),
    }),
  },
  TRANSFER_CHECKED_WITH_FEE,
  {
    type: 'withdrawWithheldTokensFromMint',
    accountsMin: 3,
    info: (call) => ({
      mint: call.account(0),
      feeRecipient: call.account(1),
      ...signers(call, 2, WITHDRAW_AUTHORITY),
    }),
  },
  {
    type: 'withdrawWithheldTokensFromAccounts',
    accountsMin: 3,
    info: (call) => {
      const sourcesAt = call.accounts.length - call.u8();
      if (sourcesAt < 3) throw new Unparsable('too few accounts');
      return {
        mint: call.account(0),
        feeRecipient: call.account(1),
        sourceAccounts: call.accounts.slice(sourcesAt),
        ...signersAmong(call.accounts.slice(0, sourcesAt), 2, WITHDRAW_AUTHORITY, WITHDRAW_MULTISIG),
      };
    },
  },
  {
    type: 'harvestWithheldTokensToMint',
    accountsMin: 1,
    info: (call) => ({ mint: call.account(0), sourceAccounts: call.accounts.slice(1) }),
  },
  {
    type: 'setTransferFee',
    accountsMin: 2,
    info: (call) => ({
      mint: call.account(0),
      transferFeeBasisPoints: call.u16(),
      maximumFee: call.u64(),
      // Agave uses a lower-case t.
      ...signers(call, 1, 'transferFeeConfigAuthority', 'multisigtransferFeeConfigAuthority'),
    }),
  },
];

/** Forms of `DefaultAccountStateInstruction`. */
const DEFAULT_ACCOUNT_STATE: readonly InstructionForm[] = [
  {
    type: 'initializeDefaultAccountState',
    accountsMin: 1,
    info: exact((call) => ({ mint: call.account(0), accountState: accountState(call) })),
  },
  {
    type: 'updateDefaultAccountState',
    accountsMin: 2,
    info: exact((call) => ({
      mint: call.account(0),
      accountState: accountState(call),
      ...signers(call, 1, 'freezeAuthority'),
    })),
  },
];

/** Forms of `InterestBearingMintInstruction`. */
const INTEREST_BEARING_MINT: readonly InstructionForm[] = [
  {
    type: 'initializeInterestBearingConfig',
    accountsMin: 1,
    info: exact((call) => ({
      mint: call.account(0),
      rateAuthority: addressOrNull(call),
      rate: call.i16(),
    })),
  },
  {
    type: 'updateInterestBearingConfigRate',
    accountsMin: 2,
    info: exact((call) => ({
      mint: call.account(0),
      newRate: call.i16(),
      ...signers(call, 1, 'rateAuthority'),
    })),
  },
];

/** Forms of `ScaledUiAmountMintInstruction`. */
const SCALED_UI_AMOUNT: readonly InstructionForm[] = [
  {
    type: 'initializeScaledUiAmountConfig',
    accountsMin: 1,
    info: exact((call) => ({
      mint: call.account(0),
      authority: addressOrNull(call),
      multiplier: plainFloatText(call.f64()),
    })),
  },
  {
    type: 'updateMultiplier',
    accountsMin: 2,
    info: exact((call) => ({
      mint: call.account(0),
      newMultiplier: plainFloatText(call.f64()),
      newMultiplierTimestamp: call.i64(),
      ...signers(call, 1, 'authority'),
    })),
  },
];

/** Forms of `PausableInstruction`. */
const PAUSABLE: readonly InstructionForm[] = [
  {
    type: 'initializePausableConfig',
    accountsMin: 1,
    info: exact((call) => ({ mint: call.account(0), authority: addressOrNull(call) })),
  },
  mintSwitch('pause'),
  mintSwitch('resume'),
];

/** Shows the accounts of a burn that a mint authority must approve in addition to the owner. */
const permissionedBurn = (call: InstructionCall): JsonOutputObject => ({
  account: call.account(0),
  mint: call.account(1),
  permissionedBurnAuthority: call.account(2),
  ...signers(call, 3, 'authority'),
});

/** Forms of `PermissionedBurnInstruction`, without the confidential burn. */
const PERMISSIONED_BURN: readonly InstructionForm[] = [
  {
    type: 'initializePermissionedBurnConfig',
    accountsMin: 1,
    info: exact((call) => ({ mint: call.account(0), authority: call.address() })),
  },
  {
    type: 'permissionedBurn',
    accountsMin: 4,
    info: exact((call) => ({ ...permissionedBurn(call), amount: call.u64().toString() })),
  },
  {
    type: 'permissionedBurnChecked',
    accountsMin: 4,
    info: exact((call) => ({ ...permissionedBurn(call), tokenAmount: uiTokenAmount(call.u64(), call.u8()) })),
  },
];

/**
 * Instructions of Token-2022 extensions, by the extension's tag (`TokenInstruction` in
 * `spl-token-2022-interface`) and the second tag within it.
 */
export const EXTENSION_FORMS: Readonly<Record<number, readonly InstructionForm[]>> = {
  26: TRANSFER_FEE,
  28: DEFAULT_ACCOUNT_STATE,
  30: [ownerSwitch('enableRequiredMemoTransfers'), ownerSwitch('disableRequiredMemoTransfers')],
  33: INTEREST_BEARING_MINT,
  34: [ownerSwitch('enableCpiGuard'), ownerSwitch('disableCpiGuard')],
  36: pointerForms('TransferHook', 'programId'),
  39: pointerForms('MetadataPointer', 'metadataAddress'),
  40: pointerForms('GroupPointer', 'groupAddress'),
  41: pointerForms('GroupMemberPointer', 'memberAddress'),
  43: SCALED_UI_AMOUNT,
  44: PAUSABLE,
  46: PERMISSIONED_BURN,
};
