import { beforeAll, describe, expect, it } from 'vitest';
import { createProgramVm, type ProgramVm } from '../../../test/program-vm.ts';
import { ataOf, delegationOf, eataOf, vaultOf } from '../../../test/vectors/derived-accounts.ts';
import { type Account, rentExemptMinimum } from '../../solana/account.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  LOCALNET_VALIDATOR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../addresses.ts';
import { createAtaIdempotent } from '../associated-token.ts';
import { deriveEata, deriveVault } from '../ephemeral-token/pdas.ts';
import { decodeEata } from '../ephemeral-token/state.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../ephemeral-token/table/eata.ts';
import { encode } from '../instruction-table/encode.ts';
import { transferLamports } from '../system.ts';
import { mintTo } from '../token/instructions.ts';
import { decodeTokenAccount, MINT_BYTES } from '../token/state.ts';
import * as settlement from './table.ts';
import * as pdas from './pdas.ts';
import { decodeCommitRecord, decodeDelegationMetadata, delegatedValidator } from './state.ts';
import { DELEGATION_TABLE } from './table.ts';

const key = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const owner = key(11);
const mint = key(12);
const validator = LOCALNET_VALIDATOR;
const eata = deriveEata(owner, mint);
const vault = deriveVault(mint);
const ownerAta = ataOf(owner, mint);
const feesVault = pdas.deriveFeesVault().address;

const tokens = { ...vaultOf(mint), eata: eata.address, mint, ownerAta, owner, tokenProgram: TOKEN_PROGRAM };
const accounts = {
  validator,
  account: eata.address,
  commitState: pdas.deriveCommitState(eata.address).address,
  commitRecord: pdas.deriveCommitRecord(eata.address).address,
  record: pdas.deriveDelegationRecord(eata.address).address,
  metadata: pdas.deriveDelegationMetadata(eata.address).address,
  validatorFeesVault: pdas.deriveValidatorFeesVault(validator).address,
};
const commitAccounts = {
  ...accounts,
  programConfig: pdas.deriveProgramConfig(EPHEMERAL_TOKEN_PROGRAM).address,
};
const undelegateAccounts = {
  ...accounts,
  ownerProgram: EPHEMERAL_TOKEN_PROGRAM,
  undelegateBuffer: pdas.deriveUndelegateBuffer(eata.address).address,
  rentPayer: owner,
  feesVault,
};

/** A mint without freeze authority that `owner` can mint with (SPL Token `Mint`). */
function mintBytes(): Uint8Array {
  const data = new Uint8Array(MINT_BYTES);
  data[0] = 1;
  data.set(addressBytes(owner), 4);
  data[44] = 6;
  data[45] = 1;
  return data;
}

/** A machine on which 400,000 of the owner's 1,000,000 are in an eATA delegated to the validator. */
function deposited(): ProgramVm {
  const vm = createProgramVm([feesVault, accounts.validatorFeesVault]);
  vm.put(mint, { lamports: rentExemptMinimum(MINT_BYTES), owner: TOKEN_PROGRAM, data: mintBytes() });
  const ata = { payer: owner, mint, tokenProgram: TOKEN_PROGRAM };
  vm.run(
    owner,
    createAtaIdempotent({ ...ata, ata: ownerAta, owner }),
    mintTo(TOKEN_PROGRAM, { mint, destination: ownerAta, authority: owner }, 1_000_000n),
    transferLamports(owner, validator, 1_000_000_000n),
  );
  vm.run(
    owner,
    encode(EATA_TABLE_A.initEata, { eata: eata.address, payer: owner, owner, mint }, { eataBump: eata.bump }),
    encode(EATA_TABLE_A.initVault, { ...tokens, payer: owner }, { vaultBump: vault.bump }),
    createAtaIdempotent({ ...ata, ata: tokens.vaultAta, owner: vault.address }),
    encode(EATA_TABLE.deposit, tokens, { amount: 400_000n }),
    encode(
      EATA_TABLE_A.delegateEata,
      { payer: owner, eata: eata.address, delegation: delegationOf(eata.address) },
      { eataBump: eata.bump, validator },
    ),
  );
  return vm;
}

describe('settlement by the delegation program', () => {
  let vm: ProgramVm;
  beforeAll(() => {
    vm = deposited();
  });

  const accountOf = (address: Address) => vm.account(address) as Account;
  const metadataOf = () => decodeDelegationMetadata(accountOf(accounts.metadata).data);
  const stateWith = (amount: bigint): Uint8Array => {
    const data = Uint8Array.from(accountOf(eata.address).data);
    new DataView(data.buffer).setBigUint64(64, amount, true);
    return data;
  };
  const commitOf = (amount: bigint, nonce: bigint, allowUndelegation: boolean) => ({
    nonce,
    lamports: accountOf(eata.address).lamports,
    allowUndelegation,
    data: stateWith(amount),
  });

  it('begins with metadata that describe how to undelegate the account', () => {
    expect(delegatedValidator(accountOf(accounts.record), EPHEMERAL_TOKEN_PROGRAM)).toBe(validator);
    expect(metadataOf()).toEqual({
      commitNonce: 0n,
      undelegationRequester: 'none',
      seeds: [addressBytes(owner), addressBytes(mint)],
      rentPayer: owner,
    });
  });

  it('rejects a nonce that is not the next', () => {
    expect(() => vm.run(validator, settlement.commitState(commitAccounts, commitOf(1n, 2n, false)))).toThrow(
      'custom program error: 0xc',
    );
  });

  it('commits a state and applies it to the account', () => {
    const commit = commitOf(276_544n, 1n, false);
    expect(vm.run(validator, settlement.commitState(commitAccounts, commit))).toBe(535);
    expect(decodeCommitRecord(accountOf(accounts.commitRecord).data)).toEqual({
      validator,
      account: eata.address,
      nonce: 1n,
      lamports: commit.lamports,
    });
    expect(accountOf(accounts.commitState).data).toEqual(commit.data);
    expect(decodeEata(accountOf(eata.address).data)?.amount).toBe(400_000n);

    expect(vm.run(validator, encode(DELEGATION_TABLE.finalizeCommit, accounts))).toBe(409);
    expect(decodeEata(accountOf(eata.address).data)?.amount).toBe(276_544n);
    expect(metadataOf()).toMatchObject({ commitNonce: 1n, undelegationRequester: 'none' });
  });

  it('does not undelegate without a commit that allows it', () => {
    expect(() => vm.run(validator, encode(DELEGATION_TABLE.undelegate, undelegateAccounts))).toThrow(
      'custom program error: 0x1',
    );
  });

  it('commits, finalizes and undelegates in one transaction', () => {
    const size = vm.run(
      validator,
      settlement.commitState(commitAccounts, commitOf(276_500n, 2n, true)),
      encode(DELEGATION_TABLE.finalizeCommit, accounts),
      encode(DELEGATION_TABLE.undelegate, undelegateAccounts),
    );
    expect(size).toBe(705);
    expect(accountOf(eata.address).owner).toBe(EPHEMERAL_TOKEN_PROGRAM);
    expect([vm.account(accounts.record), vm.account(accounts.metadata)]).toEqual([null, null]);
    expect(accountOf(accounts.validatorFeesVault).owner).toBe(DELEGATION_PROGRAM);
  });

  it('leaves an eATA that its owner can withdraw from', () => {
    vm.run(owner, encode(EATA_TABLE_A.withdraw, tokens, { amount: 276_500n, vaultBump: vault.bump }));
    expect(decodeTokenAccount(accountOf(ownerAta).data)?.amount).toBe(876_500n);
    expect(accountOf(owner).owner).toBe(SYSTEM_PROGRAM);
    expect(eataOf(owner, mint)).toBe(eata.address);
  });
});
