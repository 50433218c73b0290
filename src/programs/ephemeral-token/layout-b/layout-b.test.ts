import { describe, expect, it } from 'vitest';
import {
  ataOf,
  delegationOf,
  eataOf,
  queueOf,
  shuttleOf,
  shuttleTransferOf,
  vaultOf,
} from '../../../../test/vectors/derived-accounts.ts';
import { describeInstruction } from '../../../../test/vectors/instruction-text.ts';
import { scriptedRandom } from '../../../../test/vectors/scripted-random.ts';
import { type Address, addressBytes, isAddress } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM, TOKEN_PROGRAM } from '../../addresses.ts';
import { deriveDelegationRecord, deriveMagicFeeVault } from '../../delegation/pdas.ts';
import { deriveHydraCrank } from '../../hydra.ts';
import { encode } from '../../instruction-table/encode.ts';
import { derivePermission } from '../../permission/state.ts';
import { recipientOf, sealTransfer } from '../../private-transfer/seal-transfer.ts';
import * as pdas from '../pdas.ts';
import { deriveStealthPool } from '../stealth-pool.ts';
import { EATA_TABLE } from '../table/eata.ts';
import { QUEUE_TABLE, STEALTH_TABLE } from '../table/queue.ts';
import { SHUTTLE_TABLE } from '../table/shuttle.ts';
import * as shuttle from './shuttle.ts';
import * as stealthPool from './stealth-pool.ts';
import * as swap from './swap.ts';
import * as testOnly from './testing/instructions.ts';
import * as queue from './transfer-queue.ts';

import vectors from '../../../../test/vectors/layout-b.json' with { type: 'json' };

interface Input {
  readonly [name: string]: unknown;
  readonly owner: Address;
  readonly user: Address;
  readonly from: Address;
  readonly payer: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly validator: Address;
  readonly destination: Address;
  readonly destinationOwner: Address;
  readonly destinations: readonly Address[];
  readonly handle: string;
  readonly to: string;
  readonly amount: string;
  readonly saltHex: string;
  readonly flags: number;
  readonly shuttleId: number;
  readonly groupId: number;
  readonly escrowIndex: number;
  readonly requestedItems: number;
}

/** A vector of one instruction, or one instruction of a vector of several. */
interface Row {
  readonly input: Input;
  readonly feePayer: Address;
  /** Ephemeral secrets of the sealed boxes in the instruction, hex. */
  readonly draws: readonly string[];
}

const rentPda = pdas.deriveRentPda().address;
const permissionOf = (account: Address) => derivePermission(account).address;
const saltOf = ({ saltHex }: Input) => new Uint8Array(Buffer.from(saltHex, 'hex'));
const destinationOf = ({ to }: Input) => (isAddress(to) ? to : deriveStealthPool(to).address);

function vaultTransferOf({ owner, mint, tokenProgram }: Input) {
  return {
    eata: eataOf(owner, mint),
    ...vaultOf(mint, tokenProgram),
    mint,
    ownerAta: ataOf(owner, mint, tokenProgram),
    owner,
    tokenProgram,
  };
}

/** The terms of a request, with the hosted API's defaults for what it leaves out. */
function termsOf(input: Input) {
  const minDelayMs = BigInt((input['minDelayMs'] as string) ?? 0);
  const clientRefId = input['clientRefId'] as string | undefined;
  return {
    minDelayMs,
    maxDelayMs: input['maxDelayMs'] === undefined ? minDelayMs : BigInt(input['maxDelayMs'] as string),
    split: (input['split'] as number) ?? 1,
    clientRefId: clientRefId === undefined ? null : BigInt(clientRefId),
  };
}

const sealedOf = ({ input, draws }: Row, destinationOwner: Address) =>
  sealTransfer(
    { destinationOwner, terms: termsOf(input) },
    recipientOf(input.validator),
    scriptedRandom(draws),
  );

/** By the name of the SDK's builder. */
const BUILDERS: Record<string, (input: Input, row: Row) => Instruction> = {
  'ix.initEphemeralAtaIx': (i) => encode(EATA_TABLE.initEata, { eata: eataOf(i.owner, i.mint), ...i }),
  'ix.initVaultIx': (i) =>
    encode(EATA_TABLE.initVault, { ...i, ...vaultOf(i.mint), tokenProgram: TOKEN_PROGRAM }),
  'ix.transferToVaultIx': (i) => encode(EATA_TABLE.deposit, vaultTransferOf(i), { amount: BigInt(i.amount) }),
  'ix.withdrawSplIx': (i) => encode(EATA_TABLE.withdraw, vaultTransferOf(i), { amount: BigInt(i.amount) }),
  'ix.delegateEphemeralAtaIx': (i) => {
    const account = eataOf(i.owner, i.mint);
    return encode(
      EATA_TABLE.delegateEata,
      { payer: i.payer, eata: account, delegation: delegationOf(account) },
      { validator: i.validator },
    );
  },
  'ix.undelegateIx': (i) =>
    encode(EATA_TABLE.undelegateEata, {
      owner: i.owner,
      ownerAta: ataOf(i.owner, i.mint),
      eata: eataOf(i.owner, i.mint),
    }),
  'ix.createEataPermissionIx': (i) => {
    const account = eataOf(i.owner, i.mint);
    return encode(
      EATA_TABLE.createPermission,
      { eata: account, permission: permissionOf(account), payer: i.payer },
      { flags: i.flags },
    );
  },
  'ix.delegateEataPermissionIx': (i) => {
    const account = eataOf(i.owner, i.mint);
    const permissionAccount = permissionOf(account);
    return testOnly.delegatePermission({
      payer: i.payer,
      eata: account,
      permission: permissionAccount,
      delegation: delegationOf(permissionAccount, PERMISSION_PROGRAM),
      validator: i.validator,
    });
  },
  'ix.undelegateEataPermissionIx': (i) => {
    const account = eataOf(i.owner, i.mint);
    return testOnly.undelegatePermission({
      owner: i.owner,
      eata: account,
      permission: permissionOf(account),
    });
  },
  'ix.resetEataPermissionIx': (i) => {
    const account = eataOf(i.owner, i.mint);
    return testOnly.resetPermission(
      { eata: account, permission: permissionOf(account), owner: i.owner },
      i.flags,
    );
  },
  'ix.initShuttleEphemeralAtaIx': (i) =>
    testOnly.initShuttle(
      { ...i, shuttle: shuttleOf(i.owner, i.mint, i.shuttleId, i.tokenProgram) },
      i.shuttleId,
    ),
  'ix.delegateShuttleEphemeralAtaIx': (i) => {
    const accounts = shuttleOf(i.owner, i.mint, i.shuttleId);
    return testOnly.delegateShuttle(
      { payer: i.payer, shuttle: accounts, delegation: delegationOf(accounts.eata) },
      null,
    );
  },
  'ix.undelegateAndCloseShuttleEphemeralAtaIx': (i) =>
    testOnly.undelegateAndCloseShuttle(
      {
        payer: i.payer,
        rentPda,
        shuttle: shuttleOf(i.owner, i.mint, i.shuttleId),
        ownerAta: ataOf(i.owner, i.mint),
        tokenProgram: TOKEN_PROGRAM,
      },
      i.escrowIndex,
    ),
  'ix.mergeShuttleIntoAtaIx': (i) =>
    testOnly.mergeShuttle({
      owner: i.owner,
      destinationAta: ataOf(i.destinationOwner, i.mint),
      shuttle: shuttleOf(i.owner, i.mint, i.shuttleId),
      mint: i.mint,
      tokenProgram: TOKEN_PROGRAM,
    }),
  'ix.setupAndDelegateShuttleEphemeralAtaWithMergeIx': (i) =>
    encode(
      SHUTTLE_TABLE.depositByShuttle,
      { ...shuttleTransferOf(i), destinationAta: ataOf(i.destinationOwner, i.mint) },
      { shuttleId: i.shuttleId, amount: BigInt(i.amount), validator: null },
    ),
  'ix.withdrawThroughDelegatedShuttleWithMergeIx': (i) =>
    encode(SHUTTLE_TABLE.withdrawByShuttle, shuttleTransferOf(i), {
      shuttleId: i.shuttleId,
      amount: BigInt(i.amount),
      validator: i.validator,
    }),
  'ix.initTransferQueueIx': (i) => {
    const accounts = queueOf(i.mint, i.validator);
    return encode(
      QUEUE_TABLE.initTransferQueue,
      {
        ...i,
        ...accounts,
        queuePermission: permissionOf(accounts.queue),
        eataDelegation: delegationOf(accounts.queueEata),
        tokenProgram: TOKEN_PROGRAM,
      },
      { requestedItems: i.requestedItems },
    );
  },
  'ix.ensureTransferQueueCrankIx': (i) =>
    encode(QUEUE_TABLE.ensureTransferQueueCrank, {
      payer: i.payer,
      queue: queueOf(i.mint, i.validator).queue,
      magicFeeVault: deriveMagicFeeVault(i.validator).address,
    }),
  'ix.delegateTransferQueueIx': (i) => {
    const account = queueOf(i.mint, i.validator).queue;
    return encode(QUEUE_TABLE.delegateTransferQueue, {
      ...i,
      queue: account,
      delegation: delegationOf(account),
    });
  },
  'ix.allocateTransferQueueIx': (i) => testOnly.allocateTransferQueue(queueOf(i.mint, i.validator).queue),
  'ix.processPendingTransferQueueRefillIx': (i) => {
    const account = queueOf(i.mint, i.validator).queue;
    const lamportsPda = pdas.deriveLamportsPda(rentPda, account, addressBytes(account)).address;
    return testOnly.refillTransferQueue({
      refillState: pdas.deriveQueueRefillState(account).address,
      queue: account,
      rentPda,
      lamportsPda,
      delegation: delegationOf(lamportsPda),
      queueRecord: deriveDelegationRecord(account).address,
    });
  },
  'ix.initRentPdaIx': ({ payer }) => encode(QUEUE_TABLE.initRentPda, { payer, rentPda }),
  'ix.lamportsDelegatedTransferIx': (i) => {
    const lamportsPda = pdas.deriveLamportsPda(i.payer, i.destination, saltOf(i)).address;
    return testOnly.sponsorLamportsTransfer(
      {
        payer: i.payer,
        rentPda,
        lamportsPda,
        delegation: delegationOf(lamportsPda),
        destination: i.destination,
        destinationRecord: deriveDelegationRecord(i.destination).address,
      },
      BigInt(i.amount),
      saltOf(i),
    );
  },
  'ix.schedulePrivateTransferIx': ({ user, mint, shuttleId, validator, destinationOwner }, row) => {
    const stash = pdas.deriveStash(user, mint);
    return swap.scheduleSwapTransfer(
      {
        owner: user,
        stash: stash.address,
        rentPda,
        crank: deriveHydraCrank(stash.address, shuttleId).address,
        tokenProgram: TOKEN_PROGRAM,
      },
      {
        shuttleId,
        mint,
        bumps: swap.deriveSwapBumps({ stash, mint, shuttleId, validator, tokenProgram: TOKEN_PROGRAM }),
        sealed: sealedOf(row, destinationOwner),
      },
    );
  },
};

/**
 * By tag: instructions that the SDK's builders are not called alone for, but that the hosted API's requests
 * have.
 */
const HOSTED: Record<number, (input: Input, row: Row) => Instruction> = {
  5: (i) => {
    const validator = i['payerValidator'] as Address | undefined;
    const accounts = { owner: i.payer, ownerAta: ataOf(i.payer, i.mint), eata: eataOf(i.payer, i.mint) };
    if (validator === undefined) return encode(EATA_TABLE.undelegateEata, accounts);
    const magicFeeVault = deriveMagicFeeVault(validator).address;
    return encode(EATA_TABLE.undelegateEataOfDelegated, { ...accounts, magicFeeVault }, { validator });
  },
  16: (i) => {
    const accounts = queueOf(i.mint, i.validator);
    const receipt = pdas.deriveGroupReceipt(accounts.queue, i.from, i.groupId).address;
    return queue.queueTransfer(
      {
        ...accounts,
        mint: i.mint,
        owner: i.from,
        ownerAta: ataOf(i.from, i.mint),
        destinationOwner: destinationOf(i),
        tokenProgram: TOKEN_PROGRAM,
        receipt,
        receiptPermission: permissionOf(receipt),
      },
      { amount: BigInt(i.amount), groupId: i.groupId, terms: termsOf(i) },
    );
  },
  21: (i) =>
    stealthPool.updateStealthPool(
      { payer: i.payer, pool: deriveStealthPool(i.handle).address, authority: i['authority'] as Address },
      i.handle,
      { destinations: i.destinations, splitAcrossKeys: i['splitAcrossKeys'] === true },
    ),
  22: (i) => {
    const pool = deriveStealthPool(i.handle).address;
    return encode(
      STEALTH_TABLE.delegateStealthPool,
      {
        payer: i.payer,
        pool,
        permission: permissionOf(pool),
        delegation: delegationOf(pool),
        authority: i['authority'] as Address,
      },
      { handle: i.handle, validator: i.validator },
    );
  },
  25: (i, row) =>
    shuttle.transferByShuttle(
      {
        ...shuttleTransferOf({ ...i, payer: row.feePayer, owner: i.from }),
        ...queueOf(i.mint, i.validator),
      },
      {
        shuttleId: i.shuttleId,
        amount: BigInt(i.amount),
        exactOut: i['exactOut'] !== false,
        sealed: sealedOf(row, destinationOf(i)),
      },
    ),
};

type Vector = (typeof vectors.cases)[number];

const rowOf = ({ input, expect: { feePayer, encrypted } }: Vector): Row => ({
  input: input as unknown as Input,
  feePayer: feePayer as Address,
  draws: (encrypted ?? []).map(({ ephemeralSecretKey }) => ephemeralSecretKey),
});

const isOfProgram = ({ programId }: { programId: string }) => programId === EPHEMERAL_TOKEN_PROGRAM;

describe('layout B instructions', () => {
  const single = vectors.cases.filter(
    ({ level, expect: { instructions } }) => level === 'ix' && instructions?.some(isOfProgram),
  );
  const hosted = vectors.cases
    .filter(({ level }) => level === 'hosted')
    .flatMap((vector) =>
      (vector.expect.instructions ?? [])
        .filter(isOfProgram)
        .map((expected) => ({ vector, expected, tag: Number.parseInt(expected.data.slice(0, 2), 16) })),
    );

  it('has an encoder for every vector of the program, and a vector for every encoder', () => {
    expect(new Set(Object.keys(BUILDERS))).toEqual(new Set(single.map(({ op }) => op)));
    const tags = new Set(single.map(({ expect: { instructions } }) => instructions?.[0]?.data.slice(0, 2)));
    const others = hosted.filter(({ expected }) => !tags.has(expected.data.slice(0, 2)));
    expect(new Set([...others.map(({ tag }) => tag), 5])).toEqual(new Set(Object.keys(HOSTED).map(Number)));
  });

  it.each(single.map((vector) => [`${vector.op} ${vector.id}`, vector] as const))(
    'encodes %s',
    (_, vector) => {
      const row = rowOf(vector);
      const encoded = BUILDERS[vector.op]?.(row.input, row) as Instruction;
      expect(describeInstruction(encoded)).toEqual(vector.expect.instructions?.[0]);
    },
  );

  it.each(
    hosted
      .filter(({ tag }) => tag in HOSTED)
      .map(({ vector, expected, tag }) => [tag, vector.id, vector, expected] as const),
  )('encodes tag %i of %s', (tag, _, vector, expected) => {
    const row = rowOf(vector);
    expect(describeInstruction(HOSTED[tag]?.(row.input, row) as Instruction)).toEqual(expected);
  });
});

describe('the accounts that layout B instructions leave to the program', () => {
  const [owner, mint, validator] = ['owner', 'mint', 'validator'].map(
    (handle) => deriveStealthPool(handle).address,
  ) as [Address, Address, Address];
  const transfer = { shuttleId: 7, amount: 1n };
  const accounts = shuttleTransferOf({ payer: owner, owner, mint, shuttleId: 7 });
  const delegated = { ...accounts, eata: eataOf(owner, mint) };
  const closing = { ...accounts, rentPda };
  const queueAccounts = {
    ...accounts,
    ...queueOf(mint, validator),
    validator,
    queuePermission: permissionOf(owner),
    eataDelegation: accounts.delegation,
  };
  const poolAccounts = { ...accounts, pool: owner, permission: mint, authority: owner };
  const deposit = { ...accounts, destinationAta: accounts.ownerAta };

  it.each([
    [
      'delegateEata',
      encode(EATA_TABLE.delegateEata, delegated, { validator: null }),
      encode(EATA_TABLE.delegateEata, delegated, { validator }),
      1,
      33,
    ],
    [
      'delegateShuttle',
      testOnly.delegateShuttle(accounts, null),
      testOnly.delegateShuttle(accounts, validator),
      1,
      33,
    ],
    [
      'undelegateAndCloseShuttle',
      testOnly.undelegateAndCloseShuttle(closing, null),
      testOnly.undelegateAndCloseShuttle(closing, 255),
      1,
      2,
    ],
    [
      'initTransferQueue',
      encode(QUEUE_TABLE.initTransferQueue, queueAccounts, { requestedItems: null }),
      encode(QUEUE_TABLE.initTransferQueue, queueAccounts, { requestedItems: 100 }),
      1,
      5,
    ],
    [
      'delegateStealthPool',
      encode(STEALTH_TABLE.delegateStealthPool, poolAccounts, { handle: 'handle', validator: null }),
      encode(STEALTH_TABLE.delegateStealthPool, poolAccounts, { handle: 'handle', validator }),
      257,
      289,
    ],
    [
      'depositByShuttle',
      encode(SHUTTLE_TABLE.depositByShuttle, deposit, { ...transfer, validator: null }),
      encode(SHUTTLE_TABLE.depositByShuttle, deposit, { ...transfer, validator }),
      13,
      45,
    ],
    [
      'withdrawByShuttle',
      encode(SHUTTLE_TABLE.withdrawByShuttle, accounts, { ...transfer, validator: null }),
      encode(SHUTTLE_TABLE.withdrawByShuttle, accounts, { ...transfer, validator }),
      13,
      45,
    ],
  ])('are chosen by the length of the data: %s', (_, without, given, bytesWithout, bytesGiven) => {
    expect(without.data).toHaveLength(bytesWithout);
    expect(given.data).toHaveLength(bytesGiven);
    expect(given.data.subarray(0, bytesWithout)).toEqual(without.data);
    expect(given.accounts).toEqual(without.accounts);
  });

  const payment = { ...queueAccounts, destinationOwner: owner, receipt: mint };
  const terms = { minDelayMs: 0n, maxDelayMs: 0n, split: 1, clientRefId: null };

  it('include the permission of the receipt for a queued transfer', () => {
    const queued = { amount: 1n, groupId: 1, terms };
    const without = queue.queueTransfer({ ...payment, receiptPermission: null }, queued);
    const given = queue.queueTransfer({ ...payment, receiptPermission: owner }, queued);
    expect(without.accounts).toHaveLength(12);
    expect(given.accounts.slice(0, 12)).toEqual(without.accounts);
    expect(given.accounts.slice(12).map(({ address }) => address)).toEqual([owner, PERMISSION_PROGRAM]);
    expect(given.data).toEqual(without.data);
  });

  it.each([0, 0x100_0000, -1, 1.5])('rejects the group id %d', (groupId) => {
    const queued = { amount: 1n, groupId, terms };
    expect(() => queue.queueTransfer({ ...payment, receiptPermission: null }, queued)).toThrow(RangeError);
  });

  it.each([0, 11])('rejects a stealth pool with %i destinations', (length) => {
    const keys = { destinations: Array.from({ length }, () => owner), splitAcrossKeys: false };
    expect(() => stealthPool.updateStealthPool(poolAccounts, 'handle', keys)).toThrow(RangeError);
  });

  it.each(['', 'x'.repeat(256)])('rejects the handle %j', (handle) => {
    expect(() =>
      encode(STEALTH_TABLE.delegateStealthPool, poolAccounts, { handle, validator: null }),
    ).toThrow(RangeError);
  });
});
