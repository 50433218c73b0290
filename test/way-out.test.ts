import { beforeEach, describe, expect, it } from 'vitest';
import { deriveDepositAccounts } from '../src/payments/accounts/deposit-accounts.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../src/programs/addresses.ts';
import * as pdas from '../src/programs/delegation/pdas.ts';
import {
  decodeDelegationMetadata,
  decodeUndelegationRequest,
  UNDELEGATION_TIMEOUT_SLOTS,
} from '../src/programs/delegation/state.ts';
import {
  requestUndelegation,
  rollBackUndelegation,
} from '../src/programs/delegation/testing/instructions.ts';
import type { Instruction } from '../src/solana/instruction.ts';
import { FRIEND, LayoutBScene, openLayoutB, OWNER, VALIDATOR } from './layout-b-scene.ts';

// The way out of a rollup whose validator is gone: what the programs that the networks run allow, and what not.

const { eata } = deriveDepositAccounts(OWNER, USDC_MINT, TOKEN_PROGRAM);
const account = eata.address;

/** The delegation was paid for by the owner. */
const asking = {
  payer: OWNER,
  account,
  ownerProgram: EPHEMERAL_TOKEN_PROGRAM,
  undelegationRequest: pdas.deriveUndelegationRequest(account).address,
  record: pdas.deriveDelegationRecord(account).address,
  metadata: pdas.deriveDelegationMetadata(account).address,
};

const taking = {
  ...asking,
  rentPayer: OWNER,
  commitState: pdas.deriveCommitState(account).address,
  commitRecord: pdas.deriveCommitRecord(account).address,
  commitPayer: VALIDATOR,
};

/** The same call without the signature of the account, which no wallet can give. */
const unsigned = (call: Instruction): Instruction => ({
  ...call,
  accounts: call.accounts.map((meta) => (meta.address === account ? { ...meta, signer: false } : meta)),
});

let scene: LayoutBScene;

beforeEach(async ({ skip }) => {
  scene = openLayoutB(skip);
  await scene.play('initializeMint', { payer: OWNER, mint: USDC_MINT });
  await scene.play('deposit', { owner: OWNER, mint: USDC_MINT, amount: 1_000_000, idempotent: false });
});

const slotNow = (): bigint => scene.vm.slot();

describe('a deposit whose validator is gone', () => {
  it('cannot be requested by its owner: the eATA itself has to sign, and only its program can do that', () => {
    expect(() => scene.vm.run(OWNER, unsigned(requestUndelegation(asking)))).toThrow(
      /MissingRequiredSignature/,
    );
    expect(() => scene.vm.run(OWNER, unsigned(rollBackUndelegation(taking)))).toThrow(
      /MissingRequiredSignature/,
    );
    expect(scene.vm.account(asking.undelegationRequest)).toBeNull();
  });

  it('cannot be requested through the token program, which has no such instruction', () => {
    const offered: number[] = [];
    for (let tag = 0; tag < 256; tag++) {
      const call = { programId: EPHEMERAL_TOKEN_PROGRAM, accounts: [], data: Uint8Array.of(tag) };
      try {
        scene.vm.run(OWNER, call);
        offered.push(tag);
      } catch (error) {
        // `EphemeralSplError::InstructionNotFound`.
        if (!(error as Error).message.includes('Custom(1)')) offered.push(tag);
      }
    }
    const upTo = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, i) => first + i);
    // What each of them does is published (`ESplInstruction`), and none asks: if there are more one day, look again.
    expect(offered).toEqual([...upTo(0, 17), ...upTo(19, 32), 196, ...upTo(201, 209)]);
  });

  it('comes back empty after the timeout, so that only its program could take it back and fill it', () => {
    // The machine checks no signatures: it is as if the program signed.
    scene.vm.run(OWNER, requestUndelegation(asking));
    const asked = slotNow();
    const request = scene.vm.account(asking.undelegationRequest);
    expect(request?.owner).toBe(DELEGATION_PROGRAM);
    expect(decodeUndelegationRequest(request?.data ?? new Uint8Array())).toEqual({
      account,
      expiresAtSlot: asked + UNDELEGATION_TIMEOUT_SLOTS,
    });
    const metadata = scene.vm.account(asking.metadata)?.data ?? new Uint8Array();
    expect(decodeDelegationMetadata(metadata)?.undelegationRequester).toBe('ownerProgram');

    scene.vm.warpTo(asked + UNDELEGATION_TIMEOUT_SLOTS - 1n);
    // `DlpError::UndelegationRequestNotExpired`.
    expect(() => scene.vm.run(OWNER, rollBackUndelegation(taking))).toThrow('custom program error: 0x33');
    scene.vm.warpTo(asked + UNDELEGATION_TIMEOUT_SLOTS);
    scene.vm.run(OWNER, rollBackUndelegation(taking));
    expect(scene.vm.account(account)).toMatchObject({
      owner: EPHEMERAL_TOKEN_PROGRAM,
      data: new Uint8Array(),
    });
    expect(scene.vm.account(asking.record)).toBeNull();
  });

  it('can be returned by anyone with the key of that validator, on a base ledger alone', async () => {
    scene.giveBack(account, OWNER);
    await scene.play('withdraw', { owner: OWNER, mint: USDC_MINT, amount: 1_000_000, idempotent: false });
    expect(scene.tokensIn(deriveDepositAccounts(OWNER, USDC_MINT, TOKEN_PROGRAM).ownerAta)).toBe(5_000_000n);
  });

  it('is never requested by a wallet without a warning', async () => {
    const calls = [requestUndelegation(asking), rollBackUndelegation(taking)];
    for (const call of calls) {
      const { findings, instructions } = await scene.explain(scene.unsignedText(FRIEND, call));
      expect(findings.map(({ code }) => code)).toContain('DANGEROUS_INSTRUCTION');
      expect(instructions[0]?.text).toContain(account);
    }
  });
});
