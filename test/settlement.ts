import { EPHEMERAL_TOKEN_PROGRAM, LOCALNET_VALIDATOR as VALIDATOR } from '../src/programs/addresses.ts';
import * as instructions from '../src/programs/delegation/table.ts';
import * as pdas from '../src/programs/delegation/pdas.ts';
import { DELEGATION_TABLE } from '../src/programs/delegation/table.ts';
import { encode } from '../src/programs/instruction-table/encode.ts';
import type { Account } from '../src/solana/account.ts';
import type { Address } from '../src/solana/address.ts';
import type { ProgramVm } from './program-vm.ts';

/** The accounts from the npm package that a virtual machine needs for settlements by localnet's validator. */
export const SETTLEMENT_ACCOUNTS = [
  pdas.deriveFeesVault().address,
  pdas.deriveValidatorFeesVault(VALIDATOR).address,
];

/**
 * Settles a delegated eATA of `owner` with `amount` base units and undelegates it, as localnet's validator
 * would.
 */
export function settleAndGiveBack(vm: ProgramVm, owner: Address, eata: Address, amount: bigint): void {
  const accounts = {
    validator: VALIDATOR,
    account: eata,
    commitState: pdas.deriveCommitState(eata).address,
    commitRecord: pdas.deriveCommitRecord(eata).address,
    record: pdas.deriveDelegationRecord(eata).address,
    metadata: pdas.deriveDelegationMetadata(eata).address,
    validatorFeesVault: pdas.deriveValidatorFeesVault(VALIDATOR).address,
  };
  const { lamports, data: before } = vm.account(eata) as Account;
  const data = Uint8Array.from(before);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  vm.run(
    VALIDATOR,
    instructions.commitState(
      { ...accounts, programConfig: pdas.deriveProgramConfig(EPHEMERAL_TOKEN_PROGRAM).address },
      { nonce: 1n, lamports, allowUndelegation: true, data },
    ),
    encode(DELEGATION_TABLE.finalizeCommit, accounts),
    encode(DELEGATION_TABLE.undelegate, {
      ...accounts,
      ownerProgram: EPHEMERAL_TOKEN_PROGRAM,
      undelegateBuffer: pdas.deriveUndelegateBuffer(eata).address,
      rentPayer: owner,
      feesVault: pdas.deriveFeesVault().address,
    }),
  );
}
